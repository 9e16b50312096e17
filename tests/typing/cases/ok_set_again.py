# a variable that held exposed text and holds a question at the door
# differs from ok_reassigned: mypy keeps no type of a str that was formatted; the flow says which value it is
from __future__ import annotations
from ctxcontracts import expose, tool, user_text
from support import buf, der


@tool
def longest(path: str) -> str:
    names = sorted([path, "b"], key=lambda name: len(expose(der.text)) + len(name))
    return names[0]


def size(text: str) -> str:
    text = str(len(text))
    return text


def turn(lines: list[str]) -> None:
    for line in lines:
        shown = f"{line}: {expose(der.text)}"
        print(shown)
        shown = line
        buf.observe(user_text(shown))
    try:
        text = f"{expose(der.text)}"
        print(text)
    finally:
        text = "done"
    buf.observe(user_text(text))
    seen: list[str] = []
    asked: list[str] = []
    seen.append(expose(der.text))
    asked.append("a question of its own")
    print("\n".join(seen))
    buf.observe(user_text("\n".join(asked)))


turn(["a question"])
buf.observe(longest("a"))
buf.observe(user_text(size(expose(der.text))))
