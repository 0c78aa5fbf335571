"""The tickets of worlds that have no database."""

from domain import key, ticket


class Tickets:
    def __init__(self, now):
        self.now = now
        self.issued = {}

    async def issue(self, holder, opens, secret):
        made, ends = ticket.compose(secret), self.now() + ticket.LIFETIME
        self.issued[key.digest(made)] = holder, opens, ends
        return made, ends

    async def take(self, shown, opens):
        holder, what, ends = self.issued.pop(key.digest(shown), (None, None, None))
        return holder if what == opens and ends > self.now() else None
