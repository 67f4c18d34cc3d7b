"""The words of proposed names. They are names, not texts: the same in every language."""

from __future__ import annotations

from typing import Final

ADJECTIVES: Final = (
    "Amber", "Brave", "Bright", "Calm", "Clever", "Cosy", "Curious", "Daring", "Eager", "Early", "Fair", "Fluffy",
    "Fond", "Gentle", "Glad", "Golden", "Happy", "Honest", "Humble", "Jolly", "Keen", "Kind", "Lively", "Lucky",
    "Mellow", "Merry", "Mighty", "Neat", "Nimble", "Noble", "Patient", "Playful", "Polite", "Proud", "Quick", "Quiet",
    "Rapid", "Ready", "Shiny", "Silver", "Sleepy", "Smiling", "Snowy", "Speedy", "Sunny", "Swift", "Tidy", "Witty",
)  # fmt: skip
ANIMALS: Final = (
    "Alpaca", "Badger", "Bear", "Beaver", "Bee", "Bison", "Camel", "Cat", "Crane", "Deer", "Dolphin", "Duck",
    "Eagle", "Falcon", "Ferret", "Finch", "Fox", "Gecko", "Giraffe", "Hamster", "Hare", "Hedgehog", "Heron", "Horse",
    "Ibis", "Koala", "Lion", "Llama", "Lynx", "Marmot", "Mole", "Otter", "Owl", "Panda", "Parrot", "Penguin",
    "Puffin", "Rabbit", "Raccoon", "Robin", "Seal", "Sparrow", "Squirrel", "Stork", "Tiger", "Turtle", "Whale", "Wren",
)  # fmt: skip
