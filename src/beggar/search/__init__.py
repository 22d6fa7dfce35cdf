"""Hunting: longest and never-ending games, and exhaustive runs, safe to kill.

A hunt is cut into units, numbered from 0. What a unit does depends on the hunt, on its number,
and at most on what the units of earlier generations found: never on the time, the machine or the
order in which units are done. A finished unit and all it found go into the hunt's store in one
transaction. So a hunt can be killed at any moment, go on elsewhere, and comes to the same.

The modules are `finds` (what a unit comes to), `store` (what survives), `exhaustive`, `infinite`
and `longest` (what is hunted), and `work` (where units run, and the loop that sees to it).
"""
