"""What a model file may say. The engine knows no framework; it knows these tables."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class LlmCall:
    """A public way to ask a language model; see `llm.toml` for the meaning of each field."""

    about: str
    methods: frozenset[str] = frozenset()
    functions: frozenset[str] = frozenset()
    path: tuple[str, ...] = ()
    classes: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    refuse: frozenset[str] = frozenset()
    keywords: frozenset[str] = frozenset()
    text: frozenset[str] = frozenset()
    payload: frozenset[str] = frozenset()
    last: frozenset[str] = frozenset()
    beside: frozenset[str] = frozenset()
    starts: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Words:
    """The vocabulary of summarizing; see `words.toml`."""

    verbs: frozenset[str]
    weak_verbs: frozenset[str]
    context: frozenset[str]
    around: frozenset[str]
    no_context: frozenset[str]
    prompts: frozenset[str]
    prompted: frozenset[str]
    runnable: frozenset[str]
    people: frozenset[str]
    settings: frozenset[str]
    looks: frozenset[str]
    prepositions: frozenset[str]
    models: frozenset[str]
    asks: frozenset[str]
    manners: frozenset[str]
    classes: frozenset[str]
    agents: frozenset[str]
    runs: frozenset[str]
    commands: frozenset[str]
    gerunds: frozenset[str]
    duties: frozenset[str]
    reductions: frozenset[str]
    context_nouns: frozenset[str]
    products: frozenset[str]
    pronouns: frozenset[str]
    makes: frozenset[str]
    nouns: frozenset[str]
    breaks: frozenset[str]
    rewrites: frozenset[str]
    kept: frozenset[str]
    kept_nouns: frozenset[str]
    rewriting: frozenset[str]
    reducing: frozenset[str]
    joins: frozenset[str]
    joined_things: frozenset[str]
    renewed: frozenset[str]
    answers: frozenset[str]
    news: frozenset[str]
    extracts: frozenset[str]
    insights: frozenset[str]
    plain_insights: frozenset[str]
    weighty: frozenset[str]
    roles: frozenset[str]
    who: frozenset[str]
    managers: frozenset[str]
    managed: frozenset[str]
    remembered: frozenset[str]
    orders: frozenset[str]
    fillers: frozenset[str]
    denials: frozenset[str]
    tools: frozenset[str]
    uses: frozenset[str]
    excuses: frozenset[str]
    done: frozenset[str]
    yet: frozenset[str]
    own: frozenset[str]
    own_work: frozenset[str]
    yours: frozenset[str]
    carried: frozenset[str]
    steps: frozenset[str]
    goes_on: frozenset[str]
    judges: frozenset[str]
    tells: frozenset[str]
    no_contexts: frozenset[str]
    graphs: frozenset[str]
    inputs: frozenset[str]
    other_nouns: frozenset[str]
    other_things: frozenset[str]
    unspaced_commands: frozenset[str]
    unspaced_reductions: frozenset[str]
    unspaced_extracts: frozenset[str]
    unspaced_insights: frozenset[str]
    unspaced_makes: frozenset[str]
    unspaced_nouns: frozenset[str]
    unspaced_context: frozenset[str]
    unspaced_orders: frozenset[str]
    unspaced_endings: frozenset[str]
    unspaced_done: frozenset[str]
    unspaced_own: frozenset[str]
    unspaced_inside: frozenset[str]
    unspaced_beginnings: frozenset[str]
    unspaced_denials: frozenset[str]
    unspaced_roles: frozenset[str]
    unspaced_stems: frozenset[str]
    unspaced_titles: frozenset[str]
    unspaced_goes_on: frozenset[str]


@dataclass(frozen=True, slots=True)
class HigherOrder:
    """A call that calls a function it is given."""

    name: str
    function: int
    elements: bool = False
    again: bool = False
    returns: str = "result"
    """What the call gives back: the function's `result`, or `argument`, what the function was called with."""
    keyword: str = ""
    """The keyword under which the function may be passed instead."""
    packed: str = ""
    """The keyword of a collection of the arguments; by position, it stands behind the function."""


@dataclass(frozen=True, slots=True)
class Flow:
    """What unknown calls do with texts; see `flow.toml`."""

    silent: frozenset[str]
    silent_words: frozenset[str]
    answers: frozenset[str]
    no_text: frozenset[str]
    no_text_words: frozenset[str]
    keep: frozenset[str]
    element: frozenset[str]
    row: frozenset[str]
    keyed: frozenset[str]
    appends: frozenset[str]
    extends: frozenset[str]
    sets: frozenset[str]
    clears: frozenset[str]
    fills: frozenset[str]
    calls: dict[str, HigherOrder]
    template_classes: frozenset[str]
    template_methods: frozenset[str]
    state_registers: frozenset[str]
    state_names: frozenset[str]
    state_bases: frozenset[str]
    state_updates: frozenset[str]
    marker_decorators: frozenset[str]
    marker_modules: frozenset[str]
    session_classes: frozenset[str]
    session_makers: frozenset[str]
    session_fields: frozenset[str]
    lasting: frozenset[str]
    resets: frozenset[str]


@dataclass(frozen=True, slots=True)
class StoreWords:
    """The vocabulary of stores; see `stores.toml`."""

    writes: frozenset[str]
    reads: frozenset[str]
    before: frozenset[str]
    idle: frozenset[str]
    messages: frozenset[str]
    objects: frozenset[str]
    getters: frozenset[str]
    containers: frozenset[str]
    shared: frozenset[str]
    forms: frozenset[str]
    modules: frozenset[str]
    tables: frozenset[str]
    row_queries: frozenset[str]
    row_managers: frozenset[str]
    row_fetches: frozenset[str]
    row_one: frozenset[str]
    row_writes: frozenset[str]
    row_puts: frozenset[str]


@dataclass(frozen=True, slots=True)
class Models:
    """All models of a run: those of the package and those that a project adds."""

    words: Words
    flow: Flow
    stores: StoreWords
    llm: tuple[LlmCall, ...] = ()
    by_method: dict[str, tuple[LlmCall, ...]] = field(default_factory=dict[str, tuple[LlmCall, ...]])
    by_function: dict[str, LlmCall] = field(default_factory=dict[str, LlmCall])
