//! Makes a picture smaller while its rows come, so that the large one is never in memory. Every pixel of the small one
//! is the mean of what it covers, in whole numbers.

/// The size within a square of this side, never larger than it was.
pub fn within(side: u32, (width, height): (u32, u32)) -> (u32, u32) {
    let longer = width.max(height);
    if longer <= side {
        return (width, height);
    }
    let scaled = |it: u32| {
        let rounded = (2 * u64::from(it) * u64::from(side) + u64::from(longer))
            / (2 * u64::from(longer).max(1));
        u32::try_from(rounded).unwrap_or(side).max(1)
    };
    (scaled(width), scaled(height))
}

/// A picture of three bytes a pixel that becomes smaller.
pub struct Shrink {
    from: (usize, usize),
    to: (usize, usize),
    /// The row that came last, made narrower: each value is as many times too large as the large picture is wide.
    narrow: Vec<u32>,
    /// The sums of the row in the making, each also as many times too large as the large picture is high.
    sums: Vec<u64>,
    /// How much of that row's height is still to come; the large picture's height is all of it.
    missing: usize,
    pixels: Vec<u8>,
}

impl Shrink {
    pub fn new(from: (u32, u32), to: (u32, u32)) -> Self {
        let size = |(width, height): (u32, u32)| (width as usize, height as usize);
        let (from, to) = (size(from), size(to));
        Self {
            from,
            to,
            narrow: vec![0; 3 * to.0],
            sums: vec![0; 3 * to.0],
            missing: from.1,
            pixels: Vec::with_capacity(3 * to.0 * to.1),
        }
    }

    /// Takes the next row.
    pub fn push(&mut self, row: &[u8]) {
        if self.from == self.to {
            self.pixels.extend_from_slice(row);
            return;
        }
        self.narrow(row);
        // In units of which the large picture's height has as many as the small one has rows.
        let mut height = self.to.1;
        while 0 < height {
            let part = height.min(self.missing);
            for (sum, value) in self.sums.iter_mut().zip(&self.narrow) {
                *sum += u64::from(*value) * part as u64;
            }
            height -= part;
            self.missing -= part;
            if self.missing == 0 {
                self.finish_row();
            }
        }
    }

    fn narrow(&mut self, row: &[u8]) {
        self.narrow.fill(0);
        let mut into = self.narrow.chunks_exact_mut(3);
        let Some(mut target) = into.next() else {
            return;
        };
        let mut missing = self.from.0;
        for pixel in row.chunks_exact(3) {
            let mut width = self.to.0;
            while 0 < width {
                let part = width.min(missing);
                for (sum, value) in target.iter_mut().zip(pixel) {
                    *sum += u32::from(*value) * part as u32;
                }
                width -= part;
                missing -= part;
                if missing == 0 {
                    missing = self.from.0;
                    match into.next() {
                        Some(next) => target = next,
                        None => return,
                    }
                }
            }
        }
    }

    fn finish_row(&mut self) {
        let all = (self.from.0 * self.from.1) as u64;
        for sum in &mut self.sums {
            let mean = (*sum + all / 2) / all;
            self.pixels.push(u8::try_from(mean).unwrap_or(u8::MAX));
            *sum = 0;
        }
        self.missing = self.from.1;
    }

    /// The small picture, when all rows have come.
    pub fn finish(mut self) -> Vec<u8> {
        self.pixels.resize(3 * self.to.0 * self.to.1, 0);
        self.pixels
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shrunk(from: (u32, u32), to: (u32, u32), pixels: &[u8]) -> Vec<u8> {
        let mut shrink = Shrink::new(from, to);
        for row in pixels.chunks_exact(3 * from.0 as usize) {
            shrink.push(row);
        }
        shrink.finish()
    }

    #[test]
    fn each_pixel_is_the_mean_of_what_it_covers() {
        let pixels: Vec<u8> = [10, 20, 30, 40, 50, 60, 70, 80, 90]
            .into_iter()
            .flat_map(|it| [it, 0, 255])
            .collect();
        assert_eq!(shrunk((3, 3), (1, 1), &pixels), [50, 0, 255]);
        // Two columns of one and a half: (10 + 20 / 2) / 1.5 and so on, then the same for the rows.
        let halves = shrunk((3, 3), (2, 1), &pixels);
        assert_eq!(halves, [43, 0, 255, 57, 0, 255]);
        assert_eq!(shrunk((3, 3), (3, 3), &pixels), pixels);
    }

    #[test]
    fn a_picture_keeps_its_proportions() {
        assert_eq!(within(2048, (3000, 1000)), (2048, 683));
        assert_eq!(within(320, (12_000, 1)), (320, 1));
        assert_eq!(within(320, (100, 60)), (100, 60));
    }
}
