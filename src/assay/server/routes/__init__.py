"""One file per resource; each has a `router`, and the app finds it by itself.

A file may also have a `lifespan(app)`, an asynchronous context that lasts as long as the server.
"""
