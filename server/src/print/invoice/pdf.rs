//! Owns an invoice on paper: the words of its page, as a PDF.

use std::rc::Rc;

use krilla::geom::Rect;
use krilla::image::Image;
use krilla::tagging::Tag;
use walkies_core::invoice::InvoicePage;
use walkies_core::rules::invoice::InvoiceState;

use crate::print::{
    Color, GAP, INK, INK_2, Item, Line, MARGIN, Paragraph, PrintError, SMALL, Sheets, TEXT, WHITE,
    at_end, bold, heading, height, qr, style,
};

const SUNKEN: Color = Color(243, 240, 234);
const TAG: Color = Color(246, 185, 51);
const PAID: Color = Color(0, 113, 62);
const OVERDUE: Color = Color(190, 34, 42);

const CODE_SIDE: f32 = 88.0;
const PHOTOS_IN_A_ROW: usize = 4;
const PHOTO_GAP: f32 = 10.0;

/// The pictures of an invoice, as JPEG.
#[derive(Debug, Default)]
pub struct Pictures {
    /// The business's own.
    pub logo: Option<Vec<u8>>,
    /// Those of the invoice.
    pub photos: Vec<Vec<u8>>,
}

/// An invoice as a PDF; `address` is that of its page.
pub fn print(page: &InvoicePage, pictures: Pictures, address: &str) -> Result<Vec<u8>, PrintError> {
    let mut sheets = Sheets::new(page.paper, &page.business_name, &page.title)?;
    let contacts: Vec<&str> = page.contacts.iter().map(|it| it.text.as_str()).collect();
    let mut lines = vec![contacts.join(" · ")];
    for it in &page.identity {
        lines.push(format!("{}: {}", it.label, it.text.replace('\n', ", ")));
    }
    lines.retain(|it| !it.is_empty());
    sheets.letterhead(&lines.join("\n"), pictures.logo);
    let color = match page.state {
        InvoiceState::Paid => PAID,
        InvoiceState::Overdue => OVERDUE,
        _ => INK_2,
    };
    sheets.title((&page.state_text, color), page.amount_label, &page.amount);
    sheets.facts(page);
    let lines = page.lines.iter().map(|it| Line {
        date: it.date.clone(),
        what: it.what.clone(),
        more: vec![
            it.time.clone(),
            it.dogs.clone(),
            it.tax.clone(),
            it.notes.clone(),
        ],
        amount: it.price.clone(),
    });
    let lines: Vec<Line> = lines.collect();
    sheets.lines([super::DATE, super::SERVICE, super::PRICE], &lines)?;
    let sums = page.sums.iter();
    let sums: Vec<_> = sums
        .map(|it| (it.label.as_str(), it.amount.as_str(), it.is_strong))
        .collect();
    sheets.sums(&sums);
    sheets.payment(page, address);
    sheets.terms(page)?;
    sheets.note(page)?;
    sheets.photos(pictures.photos);
    sheets.videos(page.n_videos, address);
    sheets.finish()
}

impl Sheets {
    fn facts(&mut self, page: &InvoicePage) {
        let columns = 3.min(page.facts.len()).max(1);
        let width = self.width() / columns as f32;
        for row in page.facts.chunks(columns) {
            let mut below = self.y;
            for (place, fact) in row.iter().enumerate() {
                let x = MARGIN + width * place as f32;
                let end = self.part(Tag::P, |it| {
                    let y = it.y + it.write(fact.label, SMALL, (x, it.y), width - 12.0);
                    y + it.write(&fact.text, TEXT, (x, y), width - 12.0)
                });
                below = below.max(end);
            }
            self.y = below + 10.0;
        }
        self.y += 10.0;
    }

    fn payment(&mut self, page: &InvoicePage, address: &str) {
        if page.pay_to.is_empty() && page.tips.is_empty() {
            return;
        }
        const INSET: f32 = 14.0;
        let links = page.pay_to.iter().filter_map(|it| it.link.as_deref());
        let code = links.take(1).find_map(|it| qr::code(it).ok());
        let beside = if code.is_some() {
            CODE_SIDE + INSET
        } else {
            0.0
        };
        let width = self.width() - 2.0 * INSET - beside;
        let mut rows: Vec<(Rc<Paragraph>, Option<&str>)> = Vec::new();
        if !page.pay_to.is_empty() {
            rows.push((self.set(super::PAY, bold(11.0, INK), width), None));
        }
        for it in &page.pay_to {
            let text = self.set(&format!("{}  {}", it.label, it.text), TEXT, width);
            rows.push((text, it.link.as_deref()));
        }
        if !page.tips.is_empty() {
            let nudge = match page.tip_nudge.as_str() {
                "" => super::ADD_TIP,
                nudge => nudge,
            };
            rows.push((self.set(nudge, SMALL, width), None));
            let tips = page.tips.iter().map(|it| {
                let (percent, amount, to_pay) = (it.percent, &it.amount, &it.to_pay);
                format!("{percent}%: {amount}, {to_pay} in all")
            });
            let tips: Vec<String> = tips.collect();
            rows.push((self.set(&tips.join("   "), SMALL, width), Some(address)));
        }
        let text: f32 = rows.iter().map(|(it, _)| height(it) + 3.0).sum();
        let code_height = code.as_ref().map_or(0.0, |_| CODE_SIDE + 14.0);
        let all = text.max(code_height) + 2.0 * INSET;
        self.need(all);
        self.put_rect(MARGIN, self.y, self.width(), all, SUNKEN);
        let (top, mut y) = (self.y + INSET, self.y + INSET);
        for (place, (text, link)) in rows.into_iter().enumerate() {
            let is_heading = place == 0 && !page.pay_to.is_empty();
            let tag = if is_heading {
                heading(2)
            } else {
                Tag::P.into()
            };
            y += 3.0 + self.part(tag, |it| it.put_linked(&text, link, MARGIN + INSET, y));
        }
        if let (Some(code), Some(first)) = (code, page.pay_to.iter().find(|it| it.link.is_some())) {
            let x = self.size.0 - MARGIN - INSET - CODE_SIDE;
            self.put_rect(x, top, CODE_SIDE, CODE_SIDE, WHITE);
            let square = CODE_SIDE / (code.size() + 2 * qr::QUIET) as f32;
            let squares = qr::dark(&code).into_iter().filter_map(|(column, row, n)| {
                let (x, y) = (x + column as f32 * square, top + row as f32 * square);
                // A little higher, so that no light shows between two rows.
                Rect::from_xywh(x, y, n as f32 * square, square + 0.05)
            });
            let alt = format!("Code to scan, to pay with {}", first.label);
            self.part(Tag::Figure(Some(alt)), |it| {
                it.put(Item::Squares(squares.collect()));
            });
            let text = self.set(first.label, at_end(style(7.5, INK_2)), CODE_SIDE);
            // The code's own description says it, too.
            self.put_text(&text, x, top + CODE_SIDE + 2.0);
        }
        self.y += all + GAP;
    }

    fn terms(&mut self, page: &InvoicePage) -> Result<(), PrintError> {
        if page.terms.is_empty() {
            return Ok(());
        }
        let terms = self.set(&page.terms, TEXT, self.width());
        self.part(Tag::P, |it| it.flow(&[terms], MARGIN))?;
        self.y += GAP;
        Ok(())
    }

    fn note(&mut self, page: &InvoicePage) -> Result<(), PrintError> {
        if page.note.is_empty() {
            return Ok(());
        }
        let note = self.set(&page.note, TEXT, self.width() - 14.0);
        self.need(height(&note).min(60.0));
        let (top, first) = (self.y, self.n_pages());
        self.part(Tag::BlockQuote, |it| {
            it.part(Tag::P, |it| it.flow(&[note], MARGIN + 14.0))
        })?;
        if self.n_pages() == first {
            self.put_rect(MARGIN, top, 3.0, self.y - top, TAG);
        }
        self.y += GAP;
        Ok(())
    }

    fn photos(&mut self, photos: Vec<Vec<u8>>) {
        let images = photos
            .into_iter()
            .filter_map(|it| Image::from_jpeg(it.into(), true).ok());
        let images: Vec<Image> = images.collect();
        let gaps = PHOTO_GAP * (PHOTOS_IN_A_ROW - 1) as f32;
        let side = (self.width() - gaps) / PHOTOS_IN_A_ROW as f32;
        let mut number = 0;
        for row in images.chunks(PHOTOS_IN_A_ROW) {
            self.need(side);
            for (place, image) in row.iter().enumerate() {
                let x = MARGIN + (side + PHOTO_GAP) * place as f32;
                number += 1;
                if let Some(frame) = Rect::from_xywh(x, self.y, side, side) {
                    self.part(Tag::Figure(Some(format!("Photo {number}"))), |it| {
                        it.put(Item::Picture(image.clone(), frame, false));
                    });
                }
            }
            self.y += side + PHOTO_GAP;
        }
    }

    fn videos(&mut self, n_videos: usize, address: &str) {
        if n_videos == 0 {
            return;
        }
        let text = self.set(&super::videos_online(n_videos), TEXT, self.width());
        self.need(height(&text));
        self.y += self.part(Tag::P, |it| {
            it.put_linked(&text, Some(address), MARGIN, it.y)
        });
    }
}
