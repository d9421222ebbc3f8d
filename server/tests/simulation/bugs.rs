//! Owns the list of planted bugs. Each is planted at a boundary by this test alone: in the phone's shell as it is
//! rebuilt here, between phone and server, or in the server's tables.

use crate::acts::Acts;

macro_rules! bugs {
    ($($(#[doc = $doc:literal])* $Bug:ident $name:literal)*) => {
        /// A mistake that the checks must see.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Bug { $($(#[doc = $doc])* $Bug,)* }

        impl Bug {
            pub const ALL: &[Self] = &[$(Self::$Bug,)*];

            /// True if the bug shows only where two tabs of a phone sync at the same time and start over: such lives
            /// are rare, and with this bug planted all are like that.
            pub fn is_between_tabs(self) -> bool {
                matches!(self, Self::OldAnswerTaken | Self::LateWordWaits)
            }

            /// True if the bug shows only where pet parents take part: with this bug planted they always do.
            pub fn is_of_parents(self) -> bool {
                matches!(
                    self,
                    Self::SittersFeed
                        | Self::InternalNotesTold
                        | Self::OtherTenantsRows
                        | Self::DeparturesForgotten
                        | Self::LetGoKeepsRows
                        | Self::LetGoDropsWords
                        | Self::LetGoIsObeyed
                        | Self::SameHistoryForAll
                        | Self::RecordNotLookedFor
                        | Self::GrantForgotten
                        | Self::DelayToldTwice
                        | Self::ApprovedForNothing
                        | Self::UndoneStaysApproved
                        | Self::UndoneMoveStays
                        | Self::UntrustedBooks
                        | Self::HouseholdReadsOn
                        | Self::InvitationStaysOpen
                        | Self::AnotherSigns
                        | Self::GivenReplacesNotes
                        | Self::TakenBackStays
                        | Self::LiveForAnother
                ) || self.is_of_live_maps()
            }

            /// True if the bug shows only where sitters show live maps: with this bug planted they often do.
            pub fn is_of_live_maps(self) -> bool {
                matches!(
                    self,
                    Self::LiveMapEndForgotten
                        | Self::LiveMapOfMovedVisit
                        | Self::LiveMapForLetGo
                        | Self::ReplacedLiveMapGoesOn
                )
            }

            /// True if the bug shows only where two pet parents have one record: with this bug planted they do.
            pub fn is_of_households(self) -> bool {
                matches!(self, Self::HouseholdReadsOn | Self::AnotherSigns)
            }

            /// True if the bug shows only where the sitter's plan changes: with this bug planted it always does.
            pub fn is_of_plans(self) -> bool {
                matches!(self, Self::PlanTakesAway | Self::LimitNotHeld)
            }

            /// True if the bug shows only where the business is cleared: with this bug planted it always is.
            pub fn is_of_own_data(self) -> bool {
                matches!(
                    self,
                    Self::ImportLeavesOut | Self::NotClosedMeanwhile | Self::ClearedForGood
                )
            }

            /// Tells whether it shows only where invoices are paid: with this bug planted most changes are of invoices.
            pub fn is_of_invoices(self) -> bool {
                matches!(
                    self,
                    Self::PaidApart
                        | Self::InvoiceRewritten
                        | Self::CreditedKeepsServices
                        | Self::RefundLost
                )
            }

            /// True if the bug shows only where there are series: with this bug planted most changes are of series.
            pub fn is_of_series(self) -> bool {
                matches!(
                    self,
                    Self::VisitTwice | Self::LeftOutForgotten | Self::NightMissed | Self::DoneFollows
                )
            }

            /// The acts on several rows without which the bug does not show: with this bug planted half of all acts are these.
            pub fn acts(self) -> Option<Acts> {
                match self {
                    Self::TripPartLost => Some(Acts::Trips),
                    Self::TimeOffCancelsDone | Self::TimeOffMessageLost => Some(Acts::TimeOff),
                    Self::MarkedOnceMore
                    | Self::CancelledOnceComesBack
                    | Self::CopyKeepsStatus
                    | Self::UndoLeavesOne => Some(Acts::Several),
                    Self::PlannedTwice => Some(Acts::Planned),
                    Self::WeeksNotDue => Some(Acts::Weeks),
                    Self::DelayOnAnotherDay | Self::DelayToldTwice => Some(Acts::Delays),
                    Self::InactiveKeepsVisits | Self::InactiveByNight => Some(Acts::Inactive),
                    Self::GonePetStays => Some(Acts::GonePets),
                    Self::AgreedPriceFollows => Some(Acts::Prices),
                    Self::GrantForgotten | Self::UndoneMoveStays => Some(Acts::Grants),
                    Self::OrderHalfTaken => Some(Acts::Order),
                    Self::ApprovedForNothing | Self::UndoneStaysApproved => Some(Acts::Approvals),
                    Self::TakenBackStays | Self::LiveForAnother => Some(Acts::Live),
                    _ => None,
                }
            }

            pub fn name(self) -> &'static str {
                match self { $(Self::$Bug => $name,)* }
            }

            pub fn parse(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|it| it.name() == name)
            }
        }
    };
}

bugs! {
    /// The server keeps no record of what it has decided.
    NoIdempotency "no-idempotency-record"
    /// The outcome is stored in a second transaction, before which the server may be killed.
    OutcomeInSecondTx "outcome-in-second-tx"
    /// The feed's cursor is a wall clock.
    WallClockCursor "updated-at-cursor"
    /// A revision is taken before its transaction commits, so that a later one is seen first.
    SeqBeforeCommit "sequence-before-commit"
    /// The phone drops what it sent as soon as the server answers.
    DropOnOk "drop-outbox-on-http-200"
    /// The phone drops what the server turns down.
    DropOn4xx "drop-on-4xx"
    /// 'Saved' is said before the outbox is written.
    SavedBeforeWrite "outbox-write-split-from-saved"
    /// A page ends in the middle of a revision.
    PageSplitsRev "page-splits-one-rev"
    /// A late answer to a pull is applied.
    StalePullOverwrites "stale-pull-overwrites"
    /// A refusal is told in the answer to the push and nowhere else.
    RefusalOnlyInResponse "rejection-only-in-http-response"
    /// Deleted rows leave nothing behind.
    HardDelete "hard-delete"
    /// Old tombstones are removed, and phones that have not seen them are not told to start over.
    CollectWithoutReset "tombstone-gc-without-reset"
    /// The phone alone checks that a time is free.
    CheckThenBook "check-then-write-booking"
    /// An edit sends the whole row.
    FullRowPut "full-row-put-on-update"
    /// A change goes before its photo.
    RowBeforeBlob "row-before-blob"
    /// A sign-in that expired empties the phone.
    WipeOn401 "wipe-on-401"
    /// A change that is sent again is sent as a new one.
    NewIdOnRetry "new-id-on-retry"
    /// Changes are sent at the same time, and the server does not look at their order.
    ParallelCalls "parallel-rest-calls-no-seq-check"
    /// An edit of a deleted row makes it anew.
    UpdateResurrects "update-resurrects-deleted-row"
    /// Each page of a pull is applied as it comes.
    ApplyEachPage "apply-each-page"
    /// An answer to a pull is taken although another tab has applied one since it was asked for.
    OldAnswerTaken "answer-from-before-another-tab-applied"
    /// The server says that it is done before the commit has come back.
    ToldBeforeCommit "told-before-commit"
    /// A text that the server does not refuse and its database does not take holds everything behind it.
    TextHoldsQueue "text-that-the-database-turns-down"
    /// A full disk ends the storing of a pull in the middle.
    HalfStored "half-stored-on-a-full-disk"
    /// 'Saved' is said although the disk is full.
    SavedOnFullDisk "saved-on-a-full-disk"
    /// A photo that the server refuses is sent again for ever.
    PhotoHoldsQueue "refused-photo-is-sent-for-ever"
    /// A command that meets a defect of the server is tried for ever.
    DefectHoldsQueue "defect-is-met-for-ever"
    /// Waiting changes are sent in the order of the phone's clock.
    ClockOrder "sent-in-the-order-of-the-clock"
    /// A tab shows as waiting what it hears of, also when it was confirmed before.
    LateWordWaits "saved-heard-after-confirmed-waits"
    /// A phone says up to which number it knows the feed, and not which revision of that number it means.
    NumbersAlone "revisions-told-by-number-alone"
    /// A pet parent's phone is told what the sitter's is.
    SittersFeed "client-feed-is-the-sitters"
    /// A pet parent's phone gets rows with all their fields.
    InternalNotesTold "internal-notes-in-client-feed"
    /// A pet parent's phone gets rows of another sitter whom the parent has, too.
    OtherTenantsRows "rows-of-another-tenant"
    /// A pet parent's phone is not told what is theirs no longer.
    DeparturesForgotten "departures-not-told"
    /// A phone that is told that its person was let go keeps what it has.
    LetGoKeepsRows "let-go-keeps-rows"
    /// A phone that is told that its person was let go drops what waits.
    LetGoDropsWords "let-go-drops-what-waits"
    /// Commands of somebody who was let go are done all the same.
    LetGoIsObeyed "let-go-is-obeyed"
    /// Who is linked with another record is told to go on where the former one was.
    SameHistoryForAll "same-history-for-another-record"
    /// A phone takes a whole feed in which its own record is not.
    RecordNotLookedFor "own-record-not-looked-for"
    /// The server keeps one of two versions of a long text.
    OtherTextLost "other-version-of-a-text-is-lost"
    /// A service stays unpaid although the invoice that it is on is paid.
    PaidApart "service-paid-apart-from-its-invoice"
    /// A payment counts the invoice anew.
    InvoiceRewritten "invoice-rewritten-by-a-payment"
    /// The number of an invoice that was not shared is lost.
    NumberLeftOut "invoice-number-left-out"
    /// An invoice that is credited in full keeps its services.
    CreditedKeepsServices "credited-invoice-keeps-its-services"
    /// The server forgets what was given back.
    RefundLost "refund-is-lost"
    /// A smaller plan takes away what it has no room for.
    PlanTakesAway "smaller-plan-takes-away"
    /// The limits of a plan are those that the phone knows.
    LimitNotHeld "limit-not-held-by-the-server"
    /// An import leaves out a row.
    ImportLeavesOut "import-leaves-out-a-row"
    /// A business of which a part is cleared takes commands.
    NotClosedMeanwhile "not-closed-while-cleared"
    /// A row that was cleared does not come back.
    ClearedForGood "cleared-row-is-lost"
    /// A visit of a series is made under two ids.
    VisitTwice "visit-of-a-series-made-twice"
    /// A series forgets which visits were deleted.
    LeftOutForgotten "deleted-visit-comes-back-with-its-series"
    /// The nightly job finds nothing to do.
    NightMissed "nightly-job-misses-a-series"
    /// A change of a series changes what is done and paid.
    DoneFollows "done-visit-follows-its-series"
    /// A part of a trip's agreed total is another one.
    TripPartLost "trip-part-is-another"
    /// A time off cancels visits that are done.
    TimeOffCancelsDone "time-off-cancels-what-is-done"
    /// The messages of a time off go nowhere.
    TimeOffMessageLost "time-off-message-is-lost"
    /// A mark of several visits also marks one that is done or paid.
    MarkedOnceMore "several-marked-with-what-is-done"
    /// Visits that were cancelled several at once come back with their series.
    CancelledOnceComesBack "several-cancelled-come-back-with-their-series"
    /// A copy is as done as its original.
    CopyKeepsStatus "copy-keeps-status"
    /// A planned visit is made for the day of another one.
    PlannedTwice "planned-visit-made-twice"
    /// A change of the weeks ahead leaves series due as they were.
    WeeksNotDue "weeks-ahead-leave-series-as-they-were"
    /// A delay moves visits to another day.
    DelayOnAnotherDay "delay-moves-to-another-day"
    /// A client is told of one delay by two messages.
    DelayToldTwice "delay-is-told-twice"
    /// The visits of a client who is made inactive take place all the same.
    InactiveKeepsVisits "inactive-client-keeps-cancelled-visits"
    /// The nightly job takes inactive clients for active ones.
    InactiveByNight "nightly-job-visits-inactive-clients"
    /// A pet that is gone stays in the visits to come.
    GonePetStays "gone-pet-stays-in-visits"
    /// Prices that were agreed follow new rates.
    AgreedPriceFollows "agreed-price-follows-new-rates"
    /// A better order moves some visits, and not the others.
    OrderHalfTaken "better-order-is-half-taken"
    /// A granted request changes nothing.
    GrantForgotten "granted-request-is-forgotten"
    /// An undo leaves a row as the act had it.
    UndoLeavesOne "undo-leaves-a-row-behind"
    /// A request that is approved at once with others gets no service.
    ApprovedForNothing "one-of-several-approved-has-no-service"
    /// An approval that is undone stays, without its service.
    UndoneStaysApproved "undone-approval-stays-approved"
    /// A move that is undone leaves the visit at a time of its own.
    UndoneMoveStays "undone-move-leaves-the-visit-elsewhere"
    /// A client books at once whom the sitter does not trust.
    UntrustedBooks "untrusted-client-books-at-once"
    /// A parent who was let go reads on while another one of the household has a login.
    HouseholdReadsOn "let-go-of-a-household-reads-on"
    /// An open invitation stays open although somebody was let go.
    InvitationStaysOpen "invitation-outlives-who-was-let-go"
    /// A request of one of a household is taken for another one's.
    AnotherSigns "request-signed-by-another-login"
    /// The way to get in that a pet parent gives replaces the sitter's notes.
    GivenReplacesNotes "given-access-replaces-the-sitters-notes"
    /// An event of a visit that was taken back is told on.
    TakenBackStays "live-event-stays-although-taken-back"
    /// A photo of a visit comes to another client, too.
    LiveForAnother "live-photo-told-to-another-client"
    /// The server forgets which live maps were switched off.
    LiveMapEndForgotten "live-map-goes-on-after-its-end"
    /// The live map of a visit is seen although the visit was moved to another week.
    LiveMapOfMovedVisit "live-map-of-a-moved-visit-is-seen"
    /// A parent who was let go sees live maps.
    LiveMapForLetGo "live-map-for-who-was-let-go"
    /// A live map is seen although another phone has shown the walk since.
    ReplacedLiveMapGoesOn "replaced-live-map-goes-on"
    /// A phone tells what is overdue by a clock that is not the sitter's.
    OverdueElsewhere "overdue-by-another-clock"
}
