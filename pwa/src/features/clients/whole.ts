/**
 * Owns the types of rows as they come out of the core: it writes every field. What it reads may lack some, since older
 * phones wrote less, and the generated types speak of that.
 */
import { type Client, type ClientCard, newClient, newPet, type Pet } from "../../core";

export type WholeClient = Required<Client>;
export type WholePet = Required<Pet>;

export interface WholeCard extends ClientCard {
  client: WholeClient;
  dogs: WholePet[];
}

export const whole = (card: ClientCard): WholeCard => card as WholeCard;

export const blankClient = (id: string): WholeClient => newClient(id) as WholeClient;

export const blankPet = (id: string, clientId: string): WholePet => newPet(id, clientId) as WholePet;
