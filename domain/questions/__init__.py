"""What decisions and answers need to know: each question is a value, and says what its answer is.

Whoever keeps the state answers them, each from one snapshot. `user_id` is always the asking user.
"""

from domain.questions.audit import EventPlace, EventsOf, News, NewsOf, Recorded
from domain.questions.documents import DocumentFor, DocumentHead, ImageFor, StateOf
from domain.questions.drives import DriveFor, DriveNames, DrivesFor, ListedDrive, MembersOf, StandingOf
from domain.questions.items import (
    Access,
    AccessOf,
    ChildrenFor,
    Grant,
    ItemFor,
    Overview,
    OverviewFor,
    PlaceFor,
    RootItemsFor,
    SharedWith,
    SharesOf,
    SubtreeOf,
    Suggestion,
    SuggestionsFor,
    TrashFor,
)
from domain.questions.organizations import (
    InvitationByDigest,
    InvitationsOf,
    OrganizationFor,
    OrganizationMembersOf,
    OrganizationRoleOf,
)
from domain.questions.people import AccountByEmail, AccountOf, BelongingsOf, KeysOf, RememberedFor, WhoHoldsKey
from domain.questions.publications import Published, PublishedAs
from domain.questions.question import NOWHERE, Page, Question
from domain.questions.search import Found, Part, SearchFor
from domain.questions.sessions import (
    LinkByDigest,
    PasswordAt,
    PasswordOf,
    SessionsOf,
    SignedIn,
    StillSignedIn,
    WhoIsSignedIn,
)
from domain.questions.versions import AuthorNamesOf, HistoryOf, LogOf, VersionOf, VersionsOf, VersionStateOf

__all__ = [
    "NOWHERE",
    "Access",
    "AccessOf",
    "AccountByEmail",
    "AccountOf",
    "AuthorNamesOf",
    "BelongingsOf",
    "ChildrenFor",
    "DocumentFor",
    "DocumentHead",
    "DriveFor",
    "DriveNames",
    "DrivesFor",
    "EventPlace",
    "EventsOf",
    "Found",
    "Grant",
    "HistoryOf",
    "ImageFor",
    "InvitationByDigest",
    "InvitationsOf",
    "ItemFor",
    "KeysOf",
    "LinkByDigest",
    "ListedDrive",
    "LogOf",
    "MembersOf",
    "News",
    "NewsOf",
    "OrganizationFor",
    "OrganizationMembersOf",
    "OrganizationRoleOf",
    "Overview",
    "OverviewFor",
    "Page",
    "Part",
    "PasswordAt",
    "PasswordOf",
    "PlaceFor",
    "Published",
    "PublishedAs",
    "Question",
    "Recorded",
    "RememberedFor",
    "RootItemsFor",
    "SearchFor",
    "SessionsOf",
    "SharedWith",
    "SharesOf",
    "SignedIn",
    "StandingOf",
    "StateOf",
    "StillSignedIn",
    "SubtreeOf",
    "Suggestion",
    "SuggestionsFor",
    "TrashFor",
    "VersionOf",
    "VersionStateOf",
    "VersionsOf",
    "WhoHoldsKey",
    "WhoIsSignedIn",
]
