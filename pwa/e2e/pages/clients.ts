/** Owns clients and their pets as a person uses them. */
import { expect, type Page } from "@playwright/test";
import { Screen } from "./app";

export interface PetEntry {
  name: string;
  breed?: string;
  about?: string;
  /** The file of a photo. */
  photo?: string;
}

export interface ClientEntry {
  name: string;
  phone?: string;
  address?: string;
  access?: string;
  pets: PetEntry[];
}

export class ClientsPage extends Screen {
  static async open(page: Page, path = "/clients"): Promise<ClientsPage> {
    await page.goto(path);
    return new ClientsPage(page);
  }

  async add(entry: ClientEntry): Promise<ClientsPage> {
    const form = await this.newClient();
    await form.enter(entry);
    await form.save();
    await this.says("Client added");
    return this;
  }

  async newClient(): Promise<ClientForm> {
    await this.page.getByRole("button", { name: "Add Client" }).filter({ visible: true }).click();
    return ClientForm.shown(this.page, "Add Client");
  }

  /** From the client's own page. */
  async edit(): Promise<ClientForm> {
    await this.page.getByRole("button", { name: "Edit", exact: true }).click();
    return ClientForm.shown(this.page, "Edit Client");
  }
}

export class ClientForm extends Screen {
  static async shown(page: Page, title: "Add Client" | "Edit Client"): Promise<ClientForm> {
    await expect(page.getByRole("dialog", { name: title }).getByLabel("Client name")).toBeVisible();
    return new ClientForm(page);
  }

  async enter({ name, phone, address, access, pets }: ClientEntry): Promise<void> {
    const { dialog } = this;
    await dialog.getByLabel("Client name").fill(name);
    if (phone) await dialog.getByLabel(/^Phone/).fill(phone);
    if (address) await dialog.getByLabel(/^Address/).fill(address);
    if (access) await dialog.getByLabel(/^Access notes/).fill(access);
    for (const [place, pet] of pets.entries()) {
      if (place > 0) await dialog.getByRole("button", { name: "Add another pet" }).click();
      await dialog.getByLabel("Pet name").nth(place).fill(pet.name);
      const section = dialog.getByRole("region", { name: pet.name, exact: true });
      if (pet.breed) await section.getByLabel(/^Breed/).fill(pet.breed);
      if (pet.about) await section.getByLabel(/^About/).fill(pet.about);
      if (!pet.photo) continue;
      await section.getByLabel("Choose photo").setInputFiles(pet.photo);
      await expect(section.getByRole("button", { name: "Remove", exact: true })).toBeVisible();
    }
  }

  async save(): Promise<void> {
    await this.dialog.getByRole("button", { name: /^Save/ }).click();
  }
}
