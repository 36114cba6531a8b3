"""The witness at work: a store or a bundle as one stream of parts, and what is done with it.

`source` reads a store as parts, `opening` finds out what a path holds; `verifying` and `replaying` read parts;
`bundling`, `redacting` and `exporting` are what people do with a store. The rules are `witness`'s and `dialogue`'s.
"""
