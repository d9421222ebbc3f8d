-- What a pet parent tells once of home and pets.
ALTER TABLE client ADD COLUMN emergency_contact TEXT NOT NULL DEFAULT '';
ALTER TABLE client ADD COLUMN vet TEXT NOT NULL DEFAULT '';
ALTER TABLE client ADD COLUMN house_instructions TEXT NOT NULL DEFAULT '';
