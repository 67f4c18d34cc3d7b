"""The words of proposed names, by language. A new language is one more entry of `WORDS`.

They are names, not texts: who got one keeps it, whatever language is read later. Short ones, so that a name fits into
the head of a page on a phone; friendly ones, in the order in which the language says them.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Words(NamedTuple):
    """What the names of one language are made of."""

    adjectives: tuple[str, ...]
    animals: tuple[str, ...]
    animal_first: bool = False
    """The adjective follows its noun."""


ENGLISH: Final = "en"
"""The language of names for who speaks none of these."""
WORDS: Final = {
    ENGLISH: Words(
        (
            "Agile", "Amber", "Bold", "Brave", "Brisk", "Calm", "Cosy", "Deft", "Eager", "Early", "Fair", "Fluffy",
            "Fond", "Gentle", "Glad", "Golden", "Happy", "Honest", "Jolly", "Keen", "Kind", "Lively", "Loyal", "Lucky",
            "Merry", "Neat", "Nimble", "Noble", "Peppy", "Proud", "Quick", "Quiet", "Rapid", "Ready", "Shiny", "Silver",
            "Sleepy", "Snowy", "Speedy", "Spry", "Sunny", "Sweet", "Swift", "Tidy", "Trusty", "Warm", "Wise", "Witty",
        ),
        (
            "Alpaca", "Badger", "Bear", "Beaver", "Bee", "Bison", "Camel", "Cat", "Crane", "Deer", "Dove", "Duck",
            "Eagle", "Falcon", "Ferret", "Finch", "Fox", "Gecko", "Hare", "Heron", "Horse", "Ibis", "Koala", "Lark",
            "Lion", "Llama", "Lynx", "Marmot", "Mole", "Moose", "Otter", "Owl", "Panda", "Parrot", "Pony", "Puffin",
            "Quail", "Rabbit", "Robin", "Seal", "Stork", "Swan", "Tiger", "Turtle", "Whale", "Wombat", "Wren", "Zebra",
        ),
    ),
    "tr": Words(
        (
            "Akıllı", "Altın", "Atak", "Atik", "Bilge", "Canlı", "Cesur", "Coşkun", "Cömert", "Çevik", "Dinç", "Dingin",
            "Dost", "Dürüst", "Esnek", "Girgin", "Güçlü", "Güleç", "Gümüş", "Hafif", "Hızlı", "Kibar", "Kıvrak", "Mavi",
            "Mert", "Minik", "Mutlu", "Nazik", "Neşeli", "Özgür", "Parlak", "Rahat", "Sadık", "Sakin", "Samimi",
            "Sessiz", "Süslü", "Şanslı", "Şen", "Şirin", "Tatlı", "Tez", "Titiz", "Tonton", "Uslu", "Usta", "Uykulu",
            "Uysal", "Yaman", "Zarif", "Zeki", "Zinde",
        ),
        (
            "Alpaka", "Arı", "Aslan", "Atmaca", "Balina", "Baykuş", "Bizon", "Bülbül", "Ceylan", "Çita", "Doğan", "Fil",
            "Geyik", "İbibik", "Kaplan", "Karaca", "Kartal", "Kedi", "Keklik", "Kirpi", "Kivi", "Koala", "Kuğu",
            "Kumru", "Kunduz", "Lama", "Lemur", "Leylek", "Martı", "Mors", "Okapi", "Ördek", "Panda", "Panter", "Pars",
            "Porsuk", "Saka", "Samur", "Serçe", "Sincap", "Sülün", "Şahin", "Tavşan", "Tay", "Tilki", "Turna", "Vaşak",
            "Yengeç", "Yunus", "Zebra", "Zürafa",
        ),
    ),
    "id": Words(
        (
            "Anggun", "Arif", "Asyik", "Baik", "Berani", "Bijak", "Biru", "Bugar", "Cakap", "Cepat", "Cerah", "Cerdas",
            "Cerdik", "Ceria", "Damai", "Elok", "Emas", "Gesit", "Gigih", "Girang", "Hangat", "Hebat", "Indah", "Jeli",
            "Jingga", "Jujur", "Kilat", "Kuat", "Lembut", "Lincah", "Lucu", "Luwes", "Mahir", "Manis", "Mulia",
            "Mungil", "Perak", "Pintar", "Putih", "Rajin", "Ramah", "Rapi", "Riang", "Ringan", "Sabar", "Santai",
            "Segar", "Senang", "Setia", "Sigap", "Sopan", "Tabah", "Tegar", "Teguh", "Tekun", "Tenang", "Tulus", "Ulet",
        ),
        (
            "Angsa", "Anoa", "Bangau", "Bebek", "Beo", "Bison", "Camar", "Capung", "Domba", "Elang", "Gajah", "Gurita",
            "Itik", "Jalak", "Kancil", "Katak", "Kenari", "Kijang", "Kiwi", "Koala", "Koi", "Komodo", "Kucing", "Kuda",
            "Kukang", "Kuskus", "Landak", "Lebah", "Lemur", "Macan", "Maleo", "Marmut", "Merak", "Murai", "Nuri",
            "Okapi", "Panda", "Pari", "Paus", "Penyu", "Pipit", "Puyuh", "Rubah", "Rusa", "Semut", "Singa", "Tapir",
            "Tokek", "Tupai", "Unta", "Walet", "Zebra",
        ),
        animal_first=True,
    ),
}  # fmt: skip
"""By the language's tag."""
_OLD: Final = {"in": "id"}
"""Tags that old systems still say."""


def words_for(lang: str) -> Words:
    """The words for a language tag such as `tr-TR`, in any case; English ones for a tag that is not known."""
    base = lang.replace("_", "-").partition("-")[0].lower()
    return WORDS.get(_OLD.get(base, base), WORDS[ENGLISH])
