"""A metric that ends the process that scores a certain sample."""

PLUGIN = """
import os
import assay

@assay.metric(id="custom.length", inputs=("response",), range=(0, None), polarity="higher")
def length(response: str) -> float:
    '''How long the response is.'''
    if "poison" in response:
        os.abort()
    return len(response)
"""
