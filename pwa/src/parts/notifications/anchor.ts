/** Owns where in the profile notifications are set. */

/** The anchor of their section. */
export const NOTIFICATIONS = "profile-notifications";
