//! An independent model of the books: its own arithmetic on plain integers, without any rule of core. Random histories go
//! through `Command`, and the model has to agree with what is refused, with each invoice, its services, the tax, the money
//! that came in, the balance, and the ledger of each day. It is built into the core for WebAssembly, too, in tests.

use std::collections::{BTreeMap, BTreeSet};

use walkies_core::commands::decision::Need;
use walkies_core::commands::{
    CreditInvoice, DeleteInvoice, PaymentPart, RecordInvoicePayment, RecordInvoiceRefund,
    RecordPayments, RemoveInvoicePayment, RemoveInvoiceRefund, RestoreInvoice, SetServicePaid,
    SetWrittenOff, SettleOverpayment, ShareInvoice, UsedCredit, decide,
};
use walkies_core::rows::client::Client;
use walkies_core::rows::invoice::{Beyond, PaymentMethod};
use walkies_core::rows::invoicing::{Invoicing, Tax};
use walkies_core::rows::service::{Service, ServiceStatus};
use walkies_core::rows::sitter::Sitter;
use walkies_core::rules::invoice::totals_of;
use walkies_core::rules::ledger::{EntryKind, balance_on, ledger};
use walkies_core::rules::money::moved;
use walkies_core::values::zone::TimeZone;
use walkies_core::{Business, Cents, Command, Context, Date, Id, Instant, Now, Row, TableName};

const SERVICES: usize = 8;
const CLIENTS: u64 = 2;
/// Midnight of 2026-09-21 in UTC.
const START_MS: i64 = 1_789_948_800_000;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// SplitMix64: Steele, Lea and Flood, 'Fast splittable pseudorandom number generators' (2014).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n.max(1)
    }

    fn amount(&mut self, most: i64) -> i64 {
        1 + i64::try_from(self.below(u64::try_from(most.max(1)).unwrap())).unwrap()
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        let n = self.below(u64::try_from(from.len()).unwrap());
        from.get(usize::try_from(n).unwrap()).copied()
    }
}

#[derive(Clone, Debug)]
struct Paid {
    id: u64,
    amount: i64,
    tip: i64,
    kept: i64,
    day: i64,
}

/// An amount with the invoice or note it belongs to, and its day.
#[derive(Clone, Debug)]
struct Part {
    of: u64,
    amount: i64,
    day: i64,
    /// Said of it as credit that stays; of credit that pays an invoice alone.
    kept: i64,
}

#[derive(Clone, Debug, Default)]
struct Bill {
    client: u64,
    total: i64,
    tax: i64,
    day: i64,
    services: Vec<usize>,
    /// The invoice that it credits.
    credits: Option<u64>,
    notes: Vec<Part>,
    money: Vec<Paid>,
    came_from: Vec<Part>,
    /// In the order in which both were written down: the newest is settled first.
    order: Vec<u64>,
    refunds: Vec<Part>,
    went_to: Vec<Part>,
    write_off: Option<(i64, i64)>,
    deleted: Option<i64>,
}

fn sum<T>(parts: &[T], amount: fn(&T) -> i64) -> i64 {
    parts.iter().map(amount).sum()
}

impl Bill {
    fn received(&self) -> i64 {
        sum(&self.money, |it| it.amount)
    }
    fn tip(&self) -> i64 {
        sum(&self.money, |it| it.tip)
    }
    fn noted(&self) -> i64 {
        sum(&self.notes, |it| it.amount)
    }
    fn spent(&self) -> i64 {
        sum(&self.went_to, |it| it.amount)
    }
    fn used(&self) -> i64 {
        sum(&self.came_from, |it| it.amount)
    }
    /// Money and credit that the client has put into it and not got out again, the tip aside.
    fn there(&self) -> i64 {
        self.received() + self.used()
            - self.tip()
            - sum(&self.refunds, |it| it.amount)
            - self.spent()
    }
    /// Unpaid amount; below 0 where too much was paid.
    fn open(&self) -> i64 {
        if self.credits.is_some() {
            return 0;
        }
        self.total - self.noted() - self.there()
    }
    fn lost(&self) -> i64 {
        let said = self.write_off.map_or(0, |it| it.0);
        said.min(self.open().max(0))
    }
    fn owed(&self) -> i64 {
        self.open().max(0) - self.lost()
    }
    fn too_much(&self) -> i64 {
        (-self.open()).max(0)
    }
    fn kept(&self) -> i64 {
        let said = sum(&self.money, |it| it.kept) + sum(&self.came_from, |it| it.kept);
        (said - self.spent()).clamp(0, self.too_much())
    }
    fn back(&self) -> i64 {
        self.too_much() - self.kept()
    }
    fn is_credited(&self) -> bool {
        self.total > 0 && self.noted() >= self.total
    }
    /// True if all that came in went back, or was a tip, and a note takes the rest off.
    fn is_given_back(&self) -> bool {
        self.is_credited() && self.came_from.is_empty() && self.too_much() == 0
    }
    /// Part of its tax that this much of its total brings.
    fn tax_of(&self, paid: i64) -> i64 {
        match self.total {
            0 => 0,
            total => rounded(self.tax * paid.clamp(0, total), total),
        }
    }
    fn is_paid(&self) -> bool {
        self.credits.is_some() || (self.open() <= 0 && !self.is_credited())
    }
    fn is_lost(&self) -> bool {
        self.lost() > 0 && self.lost() >= self.total - self.noted()
    }
    fn stays_paid(&self) -> bool {
        self.is_paid() && self.received() > 0 && self.came_from.is_empty()
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Job {
    on: Option<u64>,
    paid: bool,
    is_no_revenue: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Model {
    bills: BTreeMap<u64, Bill>,
    jobs: Vec<Job>,
    prices: Vec<i64>,
    /// Thousandths of a percent, and whether prices include it.
    tax: Option<(i64, bool)>,
}

fn rounded(part: i64, whole: i64) -> i64 {
    // Amounts are above 0: half goes up.
    (2 * part + whole) / (2 * whole)
}

impl Model {
    /// A business without tax that has done a service of each of these prices.
    pub fn of_prices(prices: Vec<i64>) -> Self {
        Self {
            jobs: vec![Job::default(); prices.len()],
            prices,
            ..Self::default()
        }
    }

    fn client_of(job: usize) -> u64 {
        u64::try_from(job).unwrap() % CLIENTS
    }

    fn is_free(&self, job: usize) -> bool {
        self.jobs[job].on.is_none() && !self.jobs[job].paid
    }

    fn alive(&self, id: u64) -> Option<&Bill> {
        self.bills.get(&id).filter(|it| it.deleted.is_none())
    }

    fn stand(&mut self, id: u64, job: usize) {
        let bill = &self.bills[&id];
        let (paid, is_no_revenue) = (bill.is_paid(), bill.is_lost());
        self.jobs[job] = Job {
            on: Some(id),
            paid,
            is_no_revenue,
        };
    }

    /// Brings the services on it up to date.
    fn refresh(&mut self, id: u64) {
        let bill = self.bills[&id].clone();
        if bill.deleted.is_some() {
            return;
        }
        for job in bill.services.iter().copied() {
            if self.jobs[job].on != Some(id) {
                continue;
            }
            if bill.is_credited() {
                self.jobs[job] = Job {
                    on: None,
                    paid: false,
                    is_no_revenue: true,
                };
            } else {
                self.stand(id, job);
            }
        }
    }

    fn share(
        &mut self,
        id: u64,
        client: u64,
        jobs: &[usize],
        credits: &[(u64, i64)],
        day: i64,
    ) -> bool {
        let mut jobs: Vec<usize> = jobs
            .iter()
            .copied()
            .filter(|it| self.is_free(*it))
            .collect();
        jobs.sort_unstable();
        jobs.dedup();
        jobs.retain(|it| Self::client_of(*it) == client);
        if jobs.is_empty() {
            return false;
        }
        let net: i64 = jobs.iter().map(|it| self.prices[*it]).sum();
        let (total, tax) = match self.tax {
            None => (net, 0),
            Some((rate, true)) => (net, rounded(net * rate, 100_000 + rate)),
            Some((rate, false)) => (
                net + rounded(net * rate, 100_000),
                rounded(net * rate, 100_000),
            ),
        };
        let mut bill = Bill {
            client,
            total,
            tax,
            day,
            services: jobs.clone(),
            ..Bill::default()
        };
        for (from, amount) in credits.iter().copied() {
            let source = self.alive(from).filter(|it| it.client == client);
            let is_double = credits.iter().filter(|it| it.0 == from).count() > 1;
            if is_double || amount <= 0 || source.is_none_or(|it| it.kept() < amount) {
                return false;
            }
        }
        for (from, amount) in credits.iter().copied() {
            let amount = amount.min(bill.owed());
            if amount > 0 {
                bill.came_from.push(Part {
                    of: from,
                    amount,
                    day,
                    kept: 0,
                });
                bill.order.push(from);
                let source = self.bills.get_mut(&from).unwrap();
                source.went_to.push(Part {
                    of: id,
                    amount,
                    day,
                    kept: 0,
                });
            }
        }
        self.bills.insert(id, bill);
        for job in jobs {
            self.stand(id, job);
        }
        true
    }

    fn pay(
        &mut self,
        id: u64,
        pay: u64,
        amount: Option<i64>,
        is_card: bool,
        beyond: Option<Beyond>,
        day: i64,
    ) -> bool {
        let Some(named) = self.bills.get(&id) else {
            return false;
        };
        let mut id = id;
        if named.deleted.is_some() {
            if !is_card {
                return false;
            }
            let mut others = named.services.iter().filter_map(|it| self.jobs[*it].on);
            id = others
                .find(|it| *it != id && self.alive(*it).is_some())
                .unwrap_or(id);
        }
        let bill = self.bills.get_mut(&id).unwrap();
        let amount = amount.unwrap_or_else(|| bill.owed());
        if amount <= 0 || bill.credits.is_some() {
            return false;
        }
        let more = (amount - bill.open().max(0)).max(0);
        let (tip, kept) = match beyond {
            Some(Beyond::Tip) => (more, 0),
            Some(Beyond::Credit) => (0, more),
            _ => (0, 0),
        };
        bill.money.push(Paid {
            id: pay,
            amount,
            tip,
            kept,
            day,
        });
        bill.order.push(pay);
        let was_deleted = bill.deleted.take().is_some();
        if was_deleted {
            bill.came_from.clear();
        }
        if was_deleted && !bill.is_credited() {
            for job in self.bills[&id].services.clone() {
                if self.is_free(job) {
                    self.stand(id, job);
                }
            }
        }
        self.refresh(id);
        true
    }

    fn settle(&mut self, id: u64, tip: i64, kept: i64) -> bool {
        let Some(bill) = self.alive(id) else {
            return false;
        };
        let beyond = bill.there() + bill.tip();
        let most_tip = (beyond - bill.total).max(bill.tip());
        let charged = (bill.total - bill.noted()).max(0);
        let most_kept = (beyond - charged - tip).max(0);
        if tip < 0 || tip > most_tip || kept < 0 || kept > most_kept {
            return false;
        }
        if (tip, kept) == (bill.tip(), bill.kept()) {
            return false;
        }
        let bill = self.bills.get_mut(&id).unwrap();
        let (mut tip, mut kept) = (tip, kept + bill.spent());
        for of in bill.order.clone().into_iter().rev() {
            if let Some(it) = bill.money.iter_mut().find(|it| it.id == of) {
                it.tip = tip.min(it.amount);
                it.kept = kept.min(it.amount - it.tip);
                (tip, kept) = (tip - it.tip, kept - it.kept);
            } else if let Some(it) = bill.came_from.iter_mut().find(|it| it.of == of) {
                it.kept = kept.min(it.amount);
                kept -= it.kept;
            }
        }
        self.refresh(id);
        true
    }

    fn delete(&mut self, id: u64, day: i64) -> bool {
        let Some(bill) = self.alive(id).cloned() else {
            return false;
        };
        if bill.spent() > 0 || (bill.received() > 0 && !bill.is_given_back()) {
            return false;
        }
        if let Some(of) = bill.credits
            && !self.take_note_off(of, id)
        {
            return false;
        }
        for job in bill.services.iter().copied() {
            if self.jobs[job].on == Some(id) {
                self.jobs[job] = Job {
                    on: None,
                    paid: false,
                    is_no_revenue: false,
                };
            }
        }
        for part in &bill.came_from {
            self.bills
                .get_mut(&part.of)
                .unwrap()
                .went_to
                .retain(|it| it.of != id);
            self.refresh(part.of);
        }
        self.bills.get_mut(&id).unwrap().deleted = Some(day);
        true
    }

    fn take_note_off(&mut self, of: u64, note: u64) -> bool {
        let was_credited = self.bills[&of].is_credited();
        let mut after = self.bills[&of].clone();
        after.notes.retain(|it| it.of != note);
        let bills_again = was_credited && !after.is_credited() && after.deleted.is_none();
        let off: Vec<usize> = after
            .services
            .iter()
            .copied()
            .filter(|it| self.jobs[*it].on != Some(of))
            .collect();
        if bills_again && off.iter().any(|it| !self.is_free(*it)) {
            return false;
        }
        self.bills.insert(of, after);
        self.refresh(of);
        if bills_again {
            for job in off {
                self.stand(of, job);
            }
        }
        true
    }

    fn restore(&mut self, id: u64) -> bool {
        let Some(bill) = self.bills.get(&id).cloned() else {
            return false;
        };
        if bill.deleted.is_none() {
            return false;
        }
        let is_billing = !bill.is_credited();
        for job in bill.services.iter().copied().filter(|_| is_billing) {
            if self.jobs[job].on.is_some() || self.jobs[job].paid != bill.stays_paid() {
                return false;
            }
        }
        for part in &bill.came_from {
            if self.alive(part.of).is_none_or(|it| it.kept() < part.amount) {
                return false;
            }
        }
        if let Some(of) = bill.credits {
            let Some(credited) = self.alive(of) else {
                return false;
            };
            if credited.total - credited.noted() < bill.total {
                return false;
            }
            let part = Part {
                of: id,
                amount: bill.total,
                day: bill.day,
                kept: 0,
            };
            self.bills.get_mut(&of).unwrap().notes.push(part);
            self.refresh(of);
        }
        for part in &bill.came_from {
            let back = Part {
                of: id,
                amount: part.amount,
                day: part.day,
                kept: 0,
            };
            self.bills.get_mut(&part.of).unwrap().went_to.push(back);
            self.refresh(part.of);
        }
        self.bills.get_mut(&id).unwrap().deleted = None;
        for job in bill.services.iter().copied().filter(|_| is_billing) {
            self.stand(id, job);
        }
        true
    }

    /// Money of some days: received with tips, tips, refunded, and the tax in it less what went back.
    fn moved(&self, first: i64, last: i64) -> [i64; 4] {
        let mut sums = [0; 4];
        let invoices = self.bills.values().filter(|it| it.credits.is_none());
        // A deleted one keeps what had come or gone back; its credit went to where it came from.
        let keeps =
            |it: &Bill| it.came_from.is_empty() && (it.received() == 0 || it.is_given_back());
        for bill in invoices.filter(|it| it.deleted.is_none() || keeps(it)) {
            // Day, whether it goes, amount, tip, whether it is money.
            let mut steps: Vec<(i64, bool, i64, i64, bool)> = Vec::new();
            steps.extend(
                bill.money
                    .iter()
                    .map(|it| (it.day, false, it.amount, it.tip, true)),
            );
            steps.extend(
                bill.came_from
                    .iter()
                    .map(|it| (it.day, false, it.amount, 0, false)),
            );
            steps.extend(
                bill.refunds
                    .iter()
                    .map(|it| (it.day, true, it.amount, 0, true)),
            );
            steps.extend(
                bill.went_to
                    .iter()
                    .map(|it| (it.day, true, it.amount, 0, false)),
            );
            steps.sort_by_key(|it| (it.0, it.1));
            let mut paid = 0;
            for (day, goes, amount, tip, is_money) in steps {
                let before = bill.tax_of(paid);
                paid += if goes { -amount } else { amount - tip };
                if day < first || last < day {
                    continue;
                }
                sums[3] += bill.tax_of(paid) - before;
                match (is_money, goes) {
                    (true, false) => {
                        sums[0] += amount;
                        sums[1] += tip;
                    }
                    (true, true) => sums[2] += amount,
                    (false, _) => {}
                }
            }
        }
        sums
    }

    /// Effects on a client's balance with their days, of all that was ever issued.
    fn journal(&self, client: u64) -> Vec<(i64, i64)> {
        let mut journal = Vec::new();
        for bill in self.bills.values().filter(|it| it.client == client) {
            let mut own: Vec<(i64, i64)> = Vec::new();
            if bill.credits.is_some() {
                if bill.deleted.is_some() {
                    own.push((bill.day, -bill.total));
                }
            } else {
                own.push((bill.day, bill.total));
                own.extend(bill.notes.iter().map(|it| (it.day, -it.amount)));
                own.extend(bill.money.iter().map(|it| (it.day, it.tip - it.amount)));
                own.extend(bill.refunds.iter().map(|it| (it.day, it.amount)));
                let lost = bill.write_off.map(|it| (it.1, -bill.lost()));
                own.extend(lost);
            }
            if let Some(day) = bill.deleted {
                let reversed: Vec<(i64, i64)> =
                    own.iter().map(|it| (it.0.max(day), -it.1)).collect();
                own.extend(reversed);
            }
            journal.extend(own);
        }
        journal
    }
}

pub fn service_id(job: usize) -> Id {
    Id::of(100 + u128::try_from(job).unwrap())
}

pub fn bill_id(id: u64) -> Id {
    Id::of(10_000 + u128::from(id))
}

pub fn client_id(client: u64) -> Id {
    Id::of(1 + u128::from(client))
}

pub fn business(model: &Model) -> Business {
    let at = Instant(0);
    let tax = model.tax.map(|(rate, included)| Tax {
        name: "Tax".to_owned(),
        rate: u32::try_from(rate / 10).unwrap(),
        rate_thousandths: u32::try_from(rate % 10).unwrap(),
        included,
    });
    let mut business = Business::default();
    let sitter = Sitter::new(
        Id::of(9),
        "Mara".to_owned(),
        String::new(),
        "UTC".to_owned(),
        at,
    );
    let invoicing = Invoicing {
        tax,
        ..Invoicing::default()
    };
    business.put(
        0,
        Row::Sitter(Sitter {
            invoicing,
            ..sitter
        }),
    );
    for client in 0..CLIENTS {
        business.put(0, Row::Client(Client::new(client_id(client), at)));
    }
    for (job, price) in model.prices.iter().enumerate() {
        let service = Service {
            client_id: client_id(Model::client_of(job)),
            status: ServiceStatus::Completed,
            price: Cents(*price),
            ..Service::new(service_id(job), at)
        };
        business.put(0, Row::Service(service));
    }
    business
}

pub fn now(day: i64) -> Now {
    let at = Instant(START_MS + day * DAY_MS + DAY_MS / 2);
    Now {
        at,
        zone: TimeZone::UTC,
    }
}

pub fn date(day: i64) -> Date {
    now(day).today()
}

/// A command, and whether the model says that it changes anything; the model is changed.
fn step(model: &mut Model, dice: &mut Dice, made: u64, day: i64) -> (Command, bool) {
    let ids: Vec<u64> = model.bills.keys().copied().collect();
    let id = dice.pick(&ids).unwrap_or(made);
    let (row, name) = (bill_id(id), Id::of(1_000_000 + u128::from(made)));
    let bill = model.bills.get(&id).cloned().unwrap_or_default();
    let is_card = dice.one_in(3);
    let method = if is_card {
        PaymentMethod::Card
    } else {
        PaymentMethod::Cash
    };
    let beyond = dice.pick(&[
        None,
        Some(Beyond::Tip),
        Some(Beyond::Credit),
        Some(Beyond::Credit),
        Some(Beyond::Back),
    ]);
    let beyond = beyond.flatten();
    let earlier = day - i64::try_from(dice.below(4)).unwrap();
    let about = |dice: &mut Dice, exact: i64| match dice.below(3) {
        0 => exact,
        1 => dice.amount(exact * 2),
        _ => dice.amount(8_000),
    };
    match dice.below(26) {
        0..=5 => {
            let client = dice.below(CLIENTS);
            let mut jobs: Vec<usize> = (0..SERVICES).filter(|_| dice.one_in(3)).collect();
            jobs.retain(|it| Model::client_of(*it) == client || dice.one_in(5));
            let mut credits = Vec::new();
            for (from, bill) in &model.bills {
                if bill.kept() > 0 && bill.deleted.is_none() && !dice.one_in(4) {
                    credits.push((*from, about(dice, bill.kept())));
                }
            }
            let command = ShareInvoice {
                id: bill_id(made),
                client_id: Some(client_id(client)),
                services: jobs.iter().map(|it| service_id(*it)).collect(),
                credits: credits
                    .iter()
                    .map(|(from, amount)| UsedCredit {
                        invoice_id: bill_id(*from),
                        amount: Cents(*amount),
                    })
                    .collect(),
                ..ShareInvoice::default()
            };
            (
                command.into(),
                model.share(made, client, &jobs, &credits, day),
            )
        }
        6..=9 => {
            let amount = (!dice.one_in(3)).then(|| about(dice, bill.owed()));
            let command = RecordInvoicePayment {
                id: row,
                payment_id: name,
                amount: amount.map(Cents),
                method,
                paid_on: Some(date(earlier)),
                beyond,
                ..RecordInvoicePayment::default()
            };
            (
                command.into(),
                model.pay(id, made, amount, is_card, beyond, earlier),
            )
        }
        10 | 11 => {
            let mut parts: Vec<(u64, i64)> = Vec::new();
            let client = dice.below(CLIENTS);
            for id in ids.iter().copied() {
                let is_other = model.bills[&id].client != client;
                if dice.one_in(2) || (is_other && !dice.one_in(8)) {
                    continue;
                }
                let owed = model.bills[&id].owed();
                if owed > 0 || dice.one_in(6) {
                    parts.push((id, about(dice, owed)));
                }
            }
            let command = RecordPayments {
                payment_id: name,
                parts: parts
                    .iter()
                    .map(|(id, amount)| PaymentPart {
                        invoice_id: bill_id(*id),
                        amount: Cents(*amount),
                    })
                    .collect(),
                method: PaymentMethod::Transfer,
                paid_on: Some(date(earlier)),
                beyond,
                note: String::new(),
            };
            let mut after = model.clone();
            let mut paid = parts
                .iter()
                .map(|it| after.pay(it.0, made, Some(it.1), false, beyond, earlier));
            let mut clients = parts.iter().map(|it| model.bills[&it.0].client);
            let is_one = clients
                .next()
                .is_some_and(|it| clients.all(|other| other == it));
            let is_done = is_one && paid.all(|it| it);
            if is_done {
                *model = after;
            }
            (command.into(), is_done)
        }
        12 => {
            let paid: Vec<u64> = bill.money.iter().map(|it| it.id).collect();
            let paid = dice.pick(&paid).unwrap_or(1);
            let is_done = bill.deleted.is_none() && bill.money.iter().any(|it| it.id == paid);
            if is_done {
                model
                    .bills
                    .get_mut(&id)
                    .unwrap()
                    .money
                    .retain(|it| it.id != paid);
                model.refresh(id);
            }
            let payment_id = Id::of(1_000_000 + u128::from(paid));
            (
                RemoveInvoicePayment {
                    id: row,
                    payment_id,
                }
                .into(),
                is_done,
            )
        }
        13 | 14 => {
            let most = bill.too_much() + 1;
            let tip = i64::try_from(dice.below(u64::try_from(most).unwrap())).unwrap();
            let kept = most - 1 - tip;
            let is_done = model.settle(id, tip, kept);
            (
                SettleOverpayment {
                    id: row,
                    tip: Cents(tip),
                    kept: Cents(kept),
                }
                .into(),
                is_done,
            )
        }
        15 | 16 => {
            let mut overpaid = ids.clone();
            overpaid.retain(|it| model.bills[it].too_much() > 0);
            let id = dice.pick(&overpaid).unwrap_or(id);
            let row = bill_id(id);
            let bill = model.bills.get(&id).cloned().unwrap_or_default();
            let amount = (!dice.one_in(3)).then(|| about(dice, bill.too_much()));
            let real = amount.unwrap_or(bill.back());
            let is_done = bill.deleted.is_none() && real > 0 && real <= bill.too_much();
            if is_done {
                let part = Part {
                    of: made,
                    amount: real,
                    day: earlier,
                    kept: 0,
                };
                model.bills.get_mut(&id).unwrap().refunds.push(part);
                model.refresh(id);
            }
            let command = RecordInvoiceRefund {
                id: row,
                refund_id: name,
                amount: amount.map(Cents),
                method,
                refunded_on: Some(date(earlier)),
                note: String::new(),
            };
            (command.into(), is_done)
        }
        17 => {
            // Few have one: without a preference hardly any would be removed.
            let mut refunded = ids.clone();
            refunded.retain(|it| !model.bills[it].refunds.is_empty());
            let id = dice.pick(&refunded).unwrap_or(id);
            let row = bill_id(id);
            let bill = model.bills.get(&id).cloned().unwrap_or_default();
            let refunds: Vec<u64> = bill.refunds.iter().map(|it| it.of).collect();
            let refund = dice.pick(&refunds).unwrap_or(1);
            let is_done = bill.deleted.is_none() && bill.refunds.iter().any(|it| it.of == refund);
            if is_done {
                model
                    .bills
                    .get_mut(&id)
                    .unwrap()
                    .refunds
                    .retain(|it| it.of != refund);
                model.refresh(id);
            }
            let refund_id = Id::of(1_000_000 + u128::from(refund));
            (RemoveInvoiceRefund { id: row, refund_id }.into(), is_done)
        }
        18 | 19 => {
            let amount = about(dice, bill.total - bill.noted());
            let is_open = model.alive(id).is_some_and(|it| it.credits.is_none());
            let is_done = is_open && amount > 0 && amount <= bill.total - bill.noted();
            if is_done {
                let note = Bill {
                    client: bill.client,
                    total: amount,
                    day,
                    credits: Some(id),
                    ..Bill::default()
                };
                model.bills.insert(made, note);
                let part = Part {
                    of: made,
                    amount,
                    day,
                    kept: 0,
                };
                model.bills.get_mut(&id).unwrap().notes.push(part);
                model.refresh(id);
            }
            let note = "A slip".to_owned();
            let command = CreditInvoice {
                id: bill_id(made),
                invoice_id: row,
                amount: Cents(amount),
                note,
            };
            (command.into(), is_done)
        }
        20 | 21 => {
            // Few were paid and given back: without a preference hardly any of them would be deleted.
            let mut given_back = ids.clone();
            given_back.retain(|it| {
                let bill = model.alive(*it);
                bill.is_some_and(|it| it.received() > 0 && it.is_given_back())
            });
            let id = dice.pick(&given_back).unwrap_or(id);
            (
                DeleteInvoice { id: bill_id(id) }.into(),
                model.delete(id, day),
            )
        }
        22 => (RestoreInvoice { id: row }.into(), model.restore(id)),
        23 | 24 => {
            let written_off = !dice.one_in(3);
            let is_alive = model.alive(id).is_some();
            let is_done = is_alive
                && if written_off {
                    bill.owed() > 0
                } else {
                    bill.write_off.is_some()
                };
            if is_done {
                let open = written_off.then(|| (bill.open(), day));
                model.bills.get_mut(&id).unwrap().write_off = open;
                model.refresh(id);
            }
            (
                SetWrittenOff {
                    id: row,
                    written_off,
                    note: String::new(),
                }
                .into(),
                is_done,
            )
        }
        _ => {
            let job = usize::try_from(dice.below(u64::try_from(SERVICES).unwrap())).unwrap();
            let paid = dice.one_in(2);
            let is_done = model.jobs[job].on.is_none() && model.jobs[job].paid != paid;
            if is_done {
                model.jobs[job].paid = paid;
                model.jobs[job].is_no_revenue &= !paid;
            }
            (
                SetServicePaid {
                    id: service_id(job),
                    paid,
                }
                .into(),
                is_done,
            )
        }
    }
}

/// Compares all that both know.
fn compare(model: &Model, business: &Business, told: &str) {
    for (id, bill) in &model.bills {
        let invoice = business
            .invoice(bill_id(*id))
            .unwrap_or_else(|| panic!("{told}: {id} is not there"));
        let theirs = [
            invoice.total.0,
            invoice.balance().0,
            invoice.tip().0,
            invoice.kept().0,
            invoice.owed_back().0,
            invoice.received().0,
            invoice.written_off().0,
        ];
        let kept = if bill.credits.is_some() {
            0
        } else {
            bill.kept()
        };
        let back = if bill.credits.is_some() {
            0
        } else {
            bill.back()
        };
        let ours = [
            bill.total,
            bill.owed(),
            bill.tip(),
            kept,
            back,
            bill.received(),
            bill.lost(),
        ];
        assert_eq!(theirs, ours, "{told}: {bill:?} and {invoice:?}");
        assert_eq!(
            invoice.paid,
            bill.is_paid(),
            "{told}: {bill:?} and {invoice:?}"
        );
        assert_eq!(
            invoice.deleted_at.is_some(),
            bill.deleted.is_some(),
            "{told}"
        );
        if bill.credits.is_none() {
            assert_eq!(totals_of(invoice).tax.0, bill.tax, "{told}");
        }
    }
    for (job, ours) in model.jobs.iter().enumerate() {
        let service = business.service(service_id(job)).unwrap();
        let theirs = Job {
            on: ours
                .on
                .filter(|it| service.invoice_id == Some(bill_id(*it))),
            paid: service.paid,
            is_no_revenue: service.credited_invoice_id.is_some(),
        };
        assert_eq!(
            (&theirs, service.invoice_id.is_some()),
            (ours, ours.on.is_some()),
            "{told}: {job} {service:?}"
        );
    }
}

/// Compares the ledgers of all days.
fn compare_ledgers(model: &Model, business: &Business, last: i64, told: &str) {
    for client in 0..CLIENTS {
        let entries = ledger(business, client_id(client), &TimeZone::UTC);
        let journal = model.journal(client);
        for day in -4..=last {
            let ours: i64 = journal.iter().filter(|it| it.0 <= day).map(|it| it.1).sum();
            assert_eq!(
                balance_on(&entries, date(day)).0,
                ours,
                "{told}: on day {day}: {entries:#?}"
            );
        }
        let alive = || {
            model
                .bills
                .values()
                .filter(|it| it.client == client && it.deleted.is_none())
        };
        let owed: i64 = alive()
            .filter(|it| it.credits.is_none())
            .map(|it| it.owed() - it.too_much())
            .sum();
        // INVARIANT: A client's balance is what the open invoices say is owed, less what is owed back and kept as credit.
        assert_eq!(balance_on(&entries, date(last)).0, owed, "{told}");
        let of = |kind: EntryKind| -> i64 {
            entries
                .iter()
                .filter(|it| it.kind == kind)
                .map(|it| it.amount.0)
                .sum()
        };
        assert_eq!(
            -of(EntryKind::Payment),
            alive().map(Bill::received).sum::<i64>(),
            "{told}"
        );
        assert_eq!(
            of(EntryKind::Tip),
            alive().map(Bill::tip).sum::<i64>(),
            "{told}"
        );
        assert_eq!(of(EntryKind::CreditUsed), 0, "{told}");
    }
}

/// Counts by name the commands that changed something.
pub type Tally = BTreeMap<&'static str, u64>;

pub fn run(seed: u64, tally: &mut Tally) {
    let mut dice = Dice(seed);
    let price = |dice: &mut Dice| {
        if dice.one_in(8) {
            0
        } else {
            dice.amount(4_000)
        }
    };
    let prices = (0..SERVICES).map(|_| price(&mut dice));
    let mut model = Model::of_prices(prices.collect());
    let taxes = [
        None,
        Some((8_250, false)),
        Some((19_000, true)),
        Some((7_375, false)),
    ];
    model.tax = dice.pick(&taxes).flatten();
    let mut business = business(&model);
    let mut day = 0;
    let steps = 10 + dice.below(30);
    for made in 1..=steps {
        day += i64::try_from(dice.below(3)).unwrap();
        let (command, is_done) = step(&mut model, &mut dice, made, day);
        let ctx = Context::at(now(day));
        let decision = decide(&command, &business, &ctx);
        // The server decides on the rows that the command asks for, and no others.
        let on_server = decide(&command, &loaded(&command, &business, &ctx), &ctx);
        assert_eq!(on_server, decision, "seed {seed}, step {made}: {command:?}");
        let changes = decision.as_ref().map(|it| !it.changes.is_empty());
        let told = format!("seed {seed}, step {made}: {command:?}");
        assert_eq!(
            changes.as_ref().is_ok_and(|it| *it),
            is_done,
            "{told}: {decision:?} with {model:#?}"
        );
        if let Ok(decision) = decision {
            business.apply(1, &decision.changes);
            let again = decide(&command, &business, &ctx);
            let is_repeat_quiet =
                again.as_ref().is_ok_and(|it| it.changes.is_empty()) || again.is_err();
            assert!(is_repeat_quiet, "{told}: {again:?}");
        }
        *tally.entry(command.name()).or_default() += u64::from(is_done);
        compare(&model, &business, &told);
    }
    compare_ledgers(&model, &business, day, &format!("seed {seed}"));
    compare_money(&model, &business, day, &format!("seed {seed}"));
}

/// Compares the money of all days, and of each half of them.
fn compare_money(model: &Model, business: &Business, last: i64, told: &str) {
    let half = last / 2;
    for (first, last) in [(-4, last), (-4, half), (half + 1, last)] {
        let invoices = business.invoices.values().map(|it| &it.row);
        let theirs = moved(invoices, (date(first), date(last)));
        let tax = theirs.tax - theirs.refunded_tax;
        let theirs = [theirs.received, theirs.tips, theirs.refunds, tax].map(|it| it.0);
        assert_eq!(
            theirs,
            model.moved(first, last),
            "{told}: days {first} to {last}"
        );
    }
}

/// The rows that a command asks for.
fn loaded(command: &Command, business: &Business, ctx: &Context) -> Business {
    let mut known = Business::default();
    let mut seen: BTreeSet<Need> = BTreeSet::new();
    loop {
        let needs = command.needs(&known, ctx);
        let fresh: Vec<Need> = needs.into_iter().filter(|it| !seen.contains(it)).collect();
        if fresh.is_empty() {
            return known;
        }
        for need in fresh {
            if let Need::Row(key) = need
                && let Some(it) = business.get(key)
            {
                known.put(it.rev, it.row);
            }
            if need == Need::Table(TableName::Sitter) {
                known.put(0, Row::Sitter(business.sitter().unwrap().clone()));
            }
            seen.insert(need);
        }
    }
}
