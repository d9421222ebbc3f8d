-- When the pet parent deleted the linked account; null where nobody did, and once somebody is linked again.
ALTER TABLE client ADD COLUMN parent_left_at_ms {{INT64}};
