/** Owns what each side says so often that it need not be typed, on the way and with cold fingers. */
import type { UserType } from "./useMessagesAddress";

export const QUICK_REPLIES: Record<UserType, readonly string[]> = {
  sitter: [
    "I'm on my way.",
    "I'm running about 10 minutes late.",
    "I'm here now.",
    "All done, everybody is home and happy.",
    "Thank you!",
  ],
  client: [
    "Thank you!",
    "See you then.",
    "Running late, please start without me.",
    "How is it going?",
    "Please call me when you can.",
  ],
};
