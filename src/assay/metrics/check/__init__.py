"""What a record itself says that its response must hold.

| metric | what it looks at |
|---|---|
| `passed` | the checks of the record: texts, patterns, JSON, calls, times, costs, rubrics |

The checks are written in the record's field `checks`, in the words of promptfoo's assertions.
"""
