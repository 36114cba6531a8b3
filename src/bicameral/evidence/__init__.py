"""Evidence: pixels and measured facts in, content-addressed evidence out.

`capture.capture` takes pictures of a running site, `folder.read_folder` those that another tool took; both give a
`plan.CaptureResult` and keep the bytes in a `store.EvidenceFolder`.
"""
