"""Time and dice of a modelled board: a clock that moves only when somebody sleeps, the real one, noise with a seed."""

TICKS_PERIOD = 1 << 30  # as on the board


class Clock:
    """Stands in for `time`. It moves only when told to."""

    def __init__(self, start_us=0, is_hasty=True):
        self.us = start_us
        self.is_hasty = is_hasty

    def spend(self, us):
        self.us += us

    def ticks_ms(self):
        return (self.us // 1000) % TICKS_PERIOD

    def ticks_us(self):
        return self.us % TICKS_PERIOD

    def ticks_diff(self, end, start):
        return (end - start + TICKS_PERIOD // 2) % TICKS_PERIOD - TICKS_PERIOD // 2

    def ticks_add(self, ticks, delta):
        return (ticks + delta) % TICKS_PERIOD

    def sleep_ms(self, ms):
        self.us += ms * 1000

    def sleep_us(self, us):
        self.us += us


class RealClock:
    """The time of the machine, for a node that talks to a real host."""

    is_hasty = False

    def __init__(self):
        import time

        self._time = time

    @property
    def us(self):
        return self._time.ticks_us()

    def spend(self, us):
        pass


class Dice:
    """A small generator with a seed (xorshift32): the same noise on every machine."""

    def __init__(self, seed):
        self._state = seed * 2654435761 % (1 << 32) or 1

    def draw(self):
        state = self._state
        state ^= state << 13 & 0xFFFFFFFF
        state ^= state >> 17
        state ^= state << 5 & 0xFFFFFFFF
        self._state = state
        return state

    def chance(self, probability):
        return probability > 0 and self.draw() < probability * 4294967296
