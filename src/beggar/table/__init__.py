"""For people: matches, games told in words and shown, in four languages.

Nothing here plays: the engines do. The modules are `phrases` (what can be said, and the
messages to translate), `words` (the languages), `narration` (events told), `match`, `screen`
(a table in the terminal) and `replay` (a page for the browser).
"""
