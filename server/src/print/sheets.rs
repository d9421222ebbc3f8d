//! Owns pages on paper: a PDF that is filled from top to bottom, in pages with their head and number, which says what its
//! parts are to whoever has it read out (tagged PDF, ISO 32000-1, 14.8). It knows nothing of what stands there.

use std::num::NonZeroU16;
use std::ops::Range;
use std::rc::Rc;

use krilla::Document;
use krilla::action::{Action, LinkAction};
use krilla::annotation::{Annotation, LinkAnnotation, Target};
use krilla::geom::{PathBuilder, Rect, Size, Transform};
use krilla::image::Image;
use krilla::metadata::Metadata;
use krilla::page::PageSettings;
use krilla::paint::FillRule;
use krilla::surface::Surface;
use krilla::tagging::{
    Artifact, ContentTag, Node, TableHeaderScope, Tag, TagGroup, TagKind, TagTree,
};
use thiserror::Error;
use walkies_core::invoice::Paper;

use super::fonts::FONTS;
use super::typeset::{BLACK, Color, Paragraph, PdfFonts, Style, Typesetter, fill};

/// Color of the main text.
pub const INK: Color = Color(29, 36, 51);
/// Color of secondary text.
pub const INK_2: Color = Color(88, 94, 105);
const LINE: Color = Color(230, 226, 220);

/// In points, as all lengths here.
pub const MARGIN: f32 = 48.0;
/// For the line at the foot of each page.
const FOOT: f32 = 36.0;
/// Between what belongs together and what comes next.
pub const GAP: f32 = 20.0;
const DATE_WIDTH: f32 = 92.0;
const PRICE_WIDTH: f32 = 76.0;
const SUMS_WIDTH: f32 = 240.0;

/// Longer than anything that a person reads.
const MAX_PAGES: usize = 300;

/// At the foot of each page.
pub const MADE_WITH: &str = "Made with Walkies";

/// Why there is no PDF.
#[derive(Debug, Error)]
pub enum PrintError {
    /// Its text fills more pages than anybody reads.
    #[error("there are more than {MAX_PAGES} pages")]
    TooLong,
    /// The packages of fonts were not there when this was built.
    #[error("there are no fonts")]
    NoFonts,
    /// The library's word.
    #[error("no PDF could be made: {0:?}")]
    Krilla(krilla::error::KrillaError),
}

/// A line of a table.
#[derive(Debug, Default)]
pub struct Line {
    /// The date, in the first column.
    pub date: String,
    /// The name of the item, in the second column.
    pub what: String,
    /// Below that, smaller; what is empty is left out.
    pub more: Vec<String>,
    /// The amount, in the last column.
    pub amount: String,
}

/// A row of a table that takes one line of text where it has room.
#[derive(Debug)]
pub struct Row {
    /// The text of the first column.
    pub first: String,
    /// The text of the second column; it goes on below where it is long.
    pub text: String,
    /// The amount, in the last column.
    pub amount: String,
    /// True for one that adds up others.
    pub is_strong: bool,
}

/// A part of the document's structure: its tag, and the items in it.
struct Part {
    tag: TagKind,
    /// Its place among all parts; none where it is in no other.
    outer: Option<usize>,
    leaves: Vec<Node>,
}

/// Something at its place on a page.
pub enum Item {
    /// Some lines of a paragraph.
    Text(Rc<Paragraph>, (f32, f32), Range<usize>),
    /// A ground of that color.
    Box(Rect, Color),
    /// Within a circle, where it is said to.
    Picture(Image, Rect, bool),
    /// Black rectangles, as of a QR code.
    Squares(Vec<Rect>),
    /// An area of the page that links to an address.
    Link(Rect, String),
}

/// Pages that are filled from top to bottom.
pub struct Sheets {
    types: Typesetter,
    title: String,
    business_name: String,
    /// Width and height of a page, in points.
    pub size: (f32, f32),
    /// The items of each page, each with its part; an item in no part is decoration.
    pages: Vec<Vec<(Option<usize>, Item)>>,
    /// The parts of the document, in reading order.
    parts: Vec<Part>,
    /// The part that is being filled.
    open: Option<usize>,
    /// How far down the last page is full.
    pub y: f32,
    /// The line at the head of each page but the first.
    running_head: Rc<Paragraph>,
    /// The head of the table that goes on, repeated on each new page.
    table_head: Option<[Rc<Paragraph>; 3]>,
}

/// Letters of that size.
pub const fn style(size: f32, color: Color) -> Style {
    Style {
        size,
        weight: 400.0,
        color,
        is_at_end: false,
    }
}

/// The same, bold.
pub const fn bold(size: f32, color: Color) -> Style {
    Style {
        weight: 650.0,
        ..style(size, color)
    }
}

/// The same at the end of the line.
pub const fn at_end(style: Style) -> Style {
    Style {
        is_at_end: true,
        ..style
    }
}

/// Style of most of the text.
pub const TEXT: Style = style(10.0, INK);
/// Style of notes beside the text.
pub const SMALL: Style = style(8.5, INK_2);

fn whole(paragraph: &Paragraph) -> Range<usize> {
    0..paragraph.n_lines()
}

/// How high all of it is.
pub fn height(paragraph: &Paragraph) -> f32 {
    paragraph.height(whole(paragraph))
}

impl Sheets {
    /// The first page of a document with this title.
    ///
    /// # Errors
    /// Where there are no fonts.
    pub fn new(paper: Paper, business_name: &str, title: &str) -> Result<Self, PrintError> {
        if FONTS.is_empty() {
            return Err(PrintError::NoFonts);
        }
        let size = match paper {
            Paper::Letter => (612.0, 792.0),
            Paper::A4 => (595.0, 842.0),
        };
        let mut types = Typesetter::new();
        let text = format!("{business_name} · {title}");
        let running_head = Rc::new(types.set(&text, SMALL, size.0 - 2.0 * MARGIN));
        Ok(Self {
            types,
            title: title.to_owned(),
            business_name: business_name.to_owned(),
            size,
            pages: vec![Vec::new()],
            parts: Vec::new(),
            open: None,
            y: MARGIN,
            running_head,
            table_head: None,
        })
    }

    /// Between the margins, in points.
    pub fn width(&self) -> f32 {
        self.size.0 - 2.0 * MARGIN
    }

    fn bottom(&self) -> f32 {
        self.size.1 - MARGIN - FOOT
    }

    /// Puts something down in the part that is being filled.
    pub fn put(&mut self, item: Item) {
        let part = self.open.filter(|_| !matches!(item, Item::Box(..)));
        if let Some(page) = self.pages.last_mut() {
            page.push((part, item));
        }
    }

    /// A further part of the one that is being filled.
    fn new_part(&mut self, tag: impl Into<TagKind>) -> Option<usize> {
        self.parts.push(Part {
            tag: tag.into(),
            outer: self.open,
            leaves: Vec::new(),
        });
        Some(self.parts.len() - 1)
    }

    /// Runs `fill`, and puts all that it writes into that part, or into none.
    fn within<T>(&mut self, part: Option<usize>, fill: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.open, part);
        let filled = fill(self);
        self.open = outer;
        filled
    }

    /// Runs `fill`, and puts all that it writes into a new part.
    pub fn part<T>(&mut self, tag: impl Into<TagKind>, fill: impl FnOnce(&mut Self) -> T) -> T {
        let part = self.new_part(tag);
        self.within(part, fill)
    }

    /// A ground of that color.
    pub fn put_rect(&mut self, x: f32, y: f32, width: f32, height: f32, color: Color) {
        if let Some(rect) = Rect::from_xywh(x, y, width, height) {
            self.put(Item::Box(rect, color));
        }
    }

    fn hairline(&mut self) {
        self.put_rect(MARGIN, self.y, self.width(), 0.75, LINE);
    }

    /// Puts a paragraph down; how high it is.
    pub fn put_text(&mut self, paragraph: &Rc<Paragraph>, x: f32, y: f32) -> f32 {
        let lines = whole(paragraph);
        self.put(Item::Text(Rc::clone(paragraph), (x, y), lines));
        height(paragraph)
    }

    /// The same with where it leads to, if it leads anywhere.
    pub fn put_linked(&mut self, text: &Rc<Paragraph>, link: Option<&str>, x: f32, y: f32) -> f32 {
        let area = Rect::from_xywh(x, y, text.width().max(1.0), height(text));
        let (Some(area), Some(link)) = (area, link) else {
            return self.put_text(text, x, y);
        };
        self.part(Tag::Link, |it| {
            it.put(Item::Link(area, link.to_owned()));
            it.put_text(text, x, y)
        })
    }

    /// A paragraph that is not put down yet.
    pub fn set(&mut self, text: &str, style: Style, width: f32) -> Rc<Paragraph> {
        Rc::new(self.types.set(text, style, width))
    }

    /// Sets a paragraph and puts it down; how high it is.
    pub fn write(&mut self, text: &str, style: Style, (x, y): (f32, f32), width: f32) -> f32 {
        let paragraph = self.set(text, style, width);
        self.put_text(&paragraph, x, y)
    }

    fn next_page(&mut self) {
        self.pages.push(Vec::new());
        self.y = MARGIN;
        let head = Rc::clone(&self.running_head);
        let lines = 0..head.n_lines().min(2);
        self.y += head.height(lines.clone()) + 12.0;
        // Whoever hears it has heard both already.
        self.within(None, |it| {
            it.put(Item::Text(head, (MARGIN, MARGIN), lines));
            if let Some(head) = it.table_head.clone() {
                it.put_table_head(&head, [None; 3]);
            }
        });
    }

    /// Goes to the next page where this one has less room than that.
    pub fn need(&mut self, height: f32) {
        if self.y + height > self.bottom() {
            self.next_page();
        }
    }

    /// Puts paragraphs below each other, together if a page has room for them, and line by line if none has.
    pub fn flow(&mut self, paragraphs: &[Rc<Paragraph>], x: f32) -> Result<(), PrintError> {
        for paragraph in paragraphs {
            let mut from = 0;
            while from < paragraph.n_lines() {
                let mut to = from;
                let room = self.bottom() - self.y;
                while to < paragraph.n_lines() && paragraph.height(from..to + 1) <= room {
                    to += 1;
                }
                if to == from && room < self.bottom() - 2.0 * MARGIN {
                    self.next_page();
                    if self.pages.len() > MAX_PAGES {
                        return Err(PrintError::TooLong);
                    }
                    continue;
                }
                let to = to.max(from + 1);
                self.put(Item::Text(Rc::clone(paragraph), (x, self.y), from..to));
                self.y += paragraph.height(from..to);
                from = to;
            }
        }
        Ok(())
    }

    /// How many pages there are so far.
    pub fn n_pages(&self) -> usize {
        self.pages.len()
    }

    /// Whose document it is, and how to reach them.
    pub fn letterhead(&mut self, contacts: &str, logo: Option<Vec<u8>>) {
        const SIDE: f32 = 40.0;
        let logo = logo.and_then(|it| Image::from_jpeg(it.into(), true).ok());
        let x = if logo.is_some() {
            MARGIN + SIDE + 12.0
        } else {
            MARGIN
        };
        if let (Some(logo), Some(place)) = (logo, Rect::from_xywh(MARGIN, self.y, SIDE, SIDE)) {
            self.put(Item::Picture(logo, place, true));
        }
        let width = self.size.0 - MARGIN - x;
        let top = self.y;
        let name = self.business_name.clone();
        for (text, look) in [(name.as_str(), bold(16.0, INK)), (contacts, SMALL)] {
            if !text.is_empty() {
                self.y += self.part(Tag::P, |it| it.write(text, look, (x, it.y), width));
            }
        }
        self.y = self.y.max(top + SIDE) + 16.0;
        self.hairline();
        self.y += GAP;
    }

    /// Writes the document's title with its state below, and beside it the amount with its label.
    pub fn title(&mut self, (state, color): (&str, Color), amount_label: &str, amount: &str) {
        let (left, right) = (self.width() * 0.55, self.width() * 0.45);
        let end = MARGIN + left;
        let y = self.y;
        let mut below = y + self.part(heading(1), |it| {
            it.write(&it.title.clone(), bold(22.0, INK), (MARGIN, y), left)
        });
        below += self.part(Tag::P, |it| {
            it.write(state, bold(10.0, color), (MARGIN, below), left)
        });
        let beside = self.part(Tag::P, |it| {
            let beside = y + it.write(amount_label, at_end(SMALL), (end, y), right);
            beside + it.write(amount, at_end(bold(22.0, INK)), (end, beside), right)
        });
        self.y = below.max(beside) + GAP;
    }

    fn put_table_head(&mut self, head: &[Rc<Paragraph>; 3], cells: [Option<usize>; 3]) {
        let places = [
            MARGIN,
            MARGIN + DATE_WIDTH,
            self.size.0 - MARGIN - PRICE_WIDTH,
        ];
        let mut high = 0.0;
        for ((text, cell), x) in head.iter().zip(cells).zip(places) {
            high = self.within(cell, |it| it.put_text(text, x, it.y));
        }
        self.y += high + 4.0;
        self.hairline();
        self.y += 7.0;
    }

    /// A table of lines under these headings.
    ///
    /// # Errors
    /// Where it is too long.
    pub fn lines(&mut self, heads: [&str; 3], lines: &[Line]) -> Result<(), PrintError> {
        if lines.is_empty() {
            return Ok(());
        }
        let width = self.width() - DATE_WIDTH - PRICE_WIDTH - 12.0;
        let head = [
            self.set(heads[0], SMALL, DATE_WIDTH),
            self.set(heads[1], SMALL, width),
            self.set(heads[2], at_end(SMALL), PRICE_WIDTH),
        ];
        self.need(80.0);
        self.part(Tag::Table, |it| {
            it.part(Tag::THead, |it| {
                it.part(Tag::TR, |it| {
                    let cells = [(); 3].map(|()| it.new_part(Tag::TH(TableHeaderScope::Column)));
                    it.put_table_head(&head, cells);
                })
            });
            it.table_head = Some(head);
            it.part(Tag::TBody, |it| {
                lines
                    .iter()
                    .try_for_each(|line| it.part(Tag::TR, |it| it.line(line, width)))
            })
        })?;
        self.table_head = None;
        Ok(())
    }

    fn line(&mut self, line: &Line, width: f32) -> Result<(), PrintError> {
        let mut texts = vec![self.set(&line.what, bold(10.0, INK), width)];
        for text in line.more.iter().filter(|it| !it.is_empty()) {
            texts.push(self.set(text, SMALL, width));
        }
        let date = self.set(&line.date, TEXT, DATE_WIDTH - 8.0);
        let price = self.set(&line.amount, at_end(TEXT), PRICE_WIDTH);
        let all: f32 = texts.iter().map(|it| height(it)).sum();
        let all = all.max(height(&date)).max(height(&price));
        // What no page has room for begins here and goes on.
        let first: f32 = texts.iter().take(2).map(|it| height(it)).sum();
        let is_long = all > self.bottom() - 3.0 * MARGIN;
        self.need(if is_long { first } else { all });
        let (page, top) = (self.pages.len(), self.y);
        let [of_date, of_texts, of_price] = [(); 3].map(|()| self.new_part(Tag::TD));
        self.within(of_date, |it| it.put_text(&date, MARGIN, top));
        let end = self.size.0 - MARGIN - PRICE_WIDTH;
        self.within(of_price, |it| it.put_text(&price, end, top));
        self.within(of_texts, |it| it.flow(&texts, MARGIN + DATE_WIDTH))?;
        if self.pages.len() == page {
            self.y = self.y.max(top + all);
        }
        self.y += 7.0;
        self.hairline();
        self.y += 7.0;
        Ok(())
    }

    /// A table whose rows take one line of text each: some forty stand on a page. `first_width` is that of the first column.
    ///
    /// # Errors
    /// Where it is too long.
    pub fn rows(
        &mut self,
        heads: [&str; 3],
        first_width: f32,
        rows: &[Row],
    ) -> Result<(), PrintError> {
        if rows.is_empty() {
            return Ok(());
        }
        let width = self.width() - first_width - PRICE_WIDTH - 12.0;
        let place = (first_width, width);
        self.need(60.0);
        self.part(Tag::Table, |it| {
            it.part(Tag::THead, |it| {
                it.part(Tag::TR, |it| {
                    let head = Row {
                        first: heads[0].to_owned(),
                        text: heads[1].to_owned(),
                        amount: heads[2].to_owned(),
                        is_strong: false,
                    };
                    let cells = [(); 3].map(|()| it.new_part(Tag::TH(TableHeaderScope::Column)));
                    it.row(&head, place, cells, SMALL)
                })
            })?;
            it.part(Tag::TBody, |it| {
                rows.iter().try_for_each(|row| {
                    it.part(Tag::TR, |it| {
                        let cells = [(); 3].map(|()| it.new_part(Tag::TD));
                        let style = match row.is_strong {
                            true => bold(9.0, INK),
                            false => style(9.0, INK),
                        };
                        it.row(row, place, cells, style)
                    })
                })
            })
        })?;
        self.y += 10.0;
        Ok(())
    }

    fn row(
        &mut self,
        row: &Row,
        (first_width, width): (f32, f32),
        [of_first, of_text, of_amount]: [Option<usize>; 3],
        style: Style,
    ) -> Result<(), PrintError> {
        let first = self.set(&row.first, style, first_width - 8.0);
        let text = self.set(&row.text, style, width);
        let amount = self.set(&row.amount, at_end(style), PRICE_WIDTH);
        let all = height(&first).max(height(&text)).max(height(&amount));
        self.need(all);
        let (page, top) = (self.pages.len(), self.y);
        self.within(of_first, |it| it.put_text(&first, MARGIN, top));
        let end = self.size.0 - MARGIN - PRICE_WIDTH;
        self.within(of_amount, |it| it.put_text(&amount, end, top));
        self.within(of_text, |it| it.flow(&[text], MARGIN + first_width))?;
        if self.pages.len() == page {
            self.y = self.y.max(top + all);
        }
        self.y += 1.5;
        self.hairline();
        self.y += 1.5;
        Ok(())
    }

    /// Writes the sums below the lines, each with its label and whether it is emphasized.
    pub fn sums(&mut self, sums: &[(&str, &str, bool)]) {
        self.y += 4.0;
        let x = self.size.0 - MARGIN - SUMS_WIDTH;
        let mut rows = Vec::with_capacity(sums.len());
        for (label, amount, is_strong) in sums {
            let look = if *is_strong { bold(11.0, INK) } else { TEXT };
            let label = self.set(label, look, SUMS_WIDTH * 0.62);
            let amount = self.set(amount, at_end(look), SUMS_WIDTH * 0.36);
            rows.push((height(&label) + 5.0, label, amount));
        }
        // Together, where a page has room for all of them.
        self.need(rows.iter().map(|it| it.0).sum::<f32>().min(300.0));
        self.part(Tag::Table, |it| {
            for (height, label, amount) in rows {
                it.need(height);
                it.part(Tag::TR, |it| {
                    it.part(Tag::TH(TableHeaderScope::Row), |it| {
                        it.put_text(&label, x, it.y)
                    });
                    it.part(Tag::TD, |it| {
                        it.put_text(&amount, x + SUMS_WIDTH * 0.64, it.y)
                    });
                });
                it.y += height;
            }
        });
        self.y += GAP;
    }

    /// The document.
    ///
    /// # Errors
    /// Where it is too long, or as the library says.
    pub fn finish(mut self) -> Result<Vec<u8>, PrintError> {
        if self.pages.len() > MAX_PAGES {
            return Err(PrintError::TooLong);
        }
        let n_pages = self.pages.len();
        let width = self.width();
        let feet: Vec<Rc<Paragraph>> = (1..=n_pages)
            .map(|it| self.set(&format!("Page {it} of {n_pages}"), at_end(SMALL), width))
            .collect();
        let made = self.set(MADE_WITH, SMALL, width);
        let mut document = Document::new();
        document.set_metadata(
            Metadata::new()
                .title(format!("{} · {}", self.title, self.business_name))
                .authors(vec![self.business_name.clone()])
                .language("en".to_owned()),
        );
        let mut fonts = PdfFonts::default();
        let foot = self.size.1 - MARGIN;
        for (items, foot_text) in self.pages.into_iter().zip(feet) {
            let Some(settings) = PageSettings::from_wh(self.size.0, self.size.1) else {
                continue;
            };
            let mut sheet = document.start_page_with(settings);
            let mut surface = sheet.surface();
            let mut links = Vec::new();
            let made = Item::Text(Rc::clone(&made), (MARGIN, foot), whole(&made));
            let number = Item::Text(Rc::clone(&foot_text), (MARGIN, foot), whole(&foot_text));
            for (part, item) in items.into_iter().chain([(None, made), (None, number)]) {
                if let Item::Link(area, address) = item {
                    links.push((part, area, address));
                    continue;
                }
                let tag = match part {
                    Some(_) => ContentTag::Other,
                    None => ContentTag::Artifact(Artifact::default()),
                };
                let leaf = surface.start_tagged(tag);
                draw(&mut surface, &mut fonts, item);
                surface.end_tagged();
                if let Some(part) = part.and_then(|it| self.parts.get_mut(it)) {
                    part.leaves.push(leaf.into());
                }
            }
            surface.finish();
            for (part, area, address) in links {
                let target = Target::Action(Action::from(LinkAction::new(address)));
                let link = Annotation::new_link(LinkAnnotation::new(area, target), None);
                let leaf = sheet.add_tagged_annotation(link);
                if let Some(part) = part.and_then(|it| self.parts.get_mut(it)) {
                    part.leaves.push(leaf.into());
                }
            }
            sheet.finish();
        }
        document.set_tag_tree(tree(self.parts));
        document.finish().map_err(PrintError::Krilla)
    }
}

/// A heading of that level.
pub fn heading(level: u16) -> TagKind {
    Tag::Hn(NonZeroU16::new(level).unwrap_or(NonZeroU16::MIN), None).into()
}

/// The parts within each other, in their order.
fn tree(parts: Vec<Part>) -> TagTree {
    let mut inner: Vec<Vec<Node>> = parts.iter().map(|_| Vec::new()).collect();
    let mut outermost = Vec::new();
    // Each comes after the one that it is in.
    for (place, part) in parts.into_iter().enumerate().rev() {
        let of_it = inner.get_mut(place).map(std::mem::take).unwrap_or_default();
        let children = part.leaves.into_iter().chain(of_it.into_iter().rev());
        let group = TagGroup::with_children(part.tag, children.collect());
        let siblings = part.outer.and_then(|it| inner.get_mut(it));
        siblings.unwrap_or(&mut outermost).push(group.into());
    }
    outermost.reverse();
    TagTree::from(outermost).with_lang(Some("en".to_owned()))
}

fn draw(surface: &mut Surface, fonts: &mut PdfFonts, item: Item) {
    let rects = |rects: &[Rect]| {
        let mut path = PathBuilder::new();
        rects.iter().for_each(|it| path.push_rect(*it));
        path.finish()
    };
    match item {
        Item::Text(text, at, lines) => text.draw(surface, fonts, at, lines),
        Item::Box(rect, color) => {
            surface.set_fill(Some(fill(color)));
            if let Some(path) = rects(&[rect]) {
                surface.draw_path(&path);
            }
        }
        Item::Squares(squares) => {
            surface.set_fill(Some(fill(BLACK)));
            if let Some(path) = rects(&squares) {
                surface.draw_path(&path);
            }
        }
        Item::Picture(image, frame, is_round) => {
            let path = if is_round {
                circle(frame)
            } else {
                rects(&[frame])
            };
            let (width, height) = image.size();
            let scale = (frame.width() / width as f32).max(frame.height() / height as f32);
            let size = Size::from_wh(width as f32 * scale, height as f32 * scale);
            if let (Some(path), Some(size)) = (path, size) {
                let x = frame.left() + (frame.width() - size.width()) / 2.0;
                let y = frame.top() + (frame.height() - size.height()) / 2.0;
                surface.push_clip_path(&path, &FillRule::NonZero);
                surface.push_transform(&Transform::from_translate(x, y));
                surface.draw_image(image, size);
                surface.pop();
                surface.pop();
            }
        }
        Item::Link(..) => {}
    }
}

/// The circle within a square.
fn circle(square: Rect) -> Option<krilla::geom::Path> {
    let radius = square.width() / 2.0;
    let (x, y) = (square.left() + radius, square.top() + radius);
    // As far as the handles of a curve are from its ends for a quarter of a circle.
    let handle = radius * 0.552_28;
    let mut path = PathBuilder::new();
    path.move_to(x + radius, y);
    path.cubic_to(
        x + radius,
        y + handle,
        x + handle,
        y + radius,
        x,
        y + radius,
    );
    path.cubic_to(
        x - handle,
        y + radius,
        x - radius,
        y + handle,
        x - radius,
        y,
    );
    path.cubic_to(
        x - radius,
        y - handle,
        x - handle,
        y - radius,
        x,
        y - radius,
    );
    path.cubic_to(
        x + handle,
        y - radius,
        x + radius,
        y - handle,
        x + radius,
        y,
    );
    path.close();
    path.finish()
}
