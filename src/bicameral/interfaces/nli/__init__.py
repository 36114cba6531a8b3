"""The NLI server: `app` is the contract over HTTP, `door` who may come in, `batcher` how requests share the model,
`serve` the process."""
