"""A system that writes down what it is asked, in a file that outlives it."""

import os

from assay.targets.protocol import Answer


class LedgerSystem:
    """Every question is a line of the ledger, after the title of the system where it has one."""

    returns = frozenset()

    def __init__(self, name, ledger, title=""):
        self.name = name
        self.title = title
        self._ledger = os.open(ledger, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    async def ask(self, turns):
        question = turns[-1].content
        os.write(self._ledger, f"{self.title} {question}\n".lstrip().encode())
        self.put(question)
        answer = self.reply(question)
        self.answered(question)
        return answer

    def reply(self, question):
        return Answer(f"{question}: yes.")

    def put(self, question):
        """A moment to die in: the question is on its way."""

    def answered(self, question):
        """A moment to die in: the answer is there, and not yet kept."""

    async def close(self):
        os.close(self._ledger)
