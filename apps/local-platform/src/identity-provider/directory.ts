import { timingSafeEqual, createHash } from 'node:crypto';

/** A person who can sign in. `subject` is the UUID that stays the same for the life of the home. */
export interface Person {
  name: string;
  email: string;
  display_name: string;
  subject: string;
  roles: string[];
  groups: string[];
}

/**
 * A service that signs in with its own secret. Not a person: it has no password and no directory
 * entry.
 */
export interface ServiceClient {
  client_id: string;
  subject: string;
  roles: string[];
  secret: string;
}

/** What every access token says about its subject, beside the registered claims. */
export interface IdentityClaims {
  sub: string;
  name: string;
  groups: string[];
  roles: string[];
  email?: string;
}

/** The people and service clients of one home. */
export class Directory {
  readonly #people: readonly Person[];
  readonly #clients: readonly ServiceClient[];
  readonly #passwords: ReadonlyMap<string, string>;

  /** @param passwords by sign-in name, as in credentials.json */
  constructor(people: readonly Person[], clients: readonly ServiceClient[], passwords: ReadonlyMap<string, string>) {
    this.#people = people;
    this.#clients = clients;
    this.#passwords = passwords;
  }

  personNamed(name: string): Person | undefined {
    return this.#people.find((person) => person.name === name);
  }

  personWithSubject(subject: string): Person | undefined {
    return this.#people.find((person) => person.subject === subject);
  }

  client(clientId: string): ServiceClient | undefined {
    return this.#clients.find((client) => client.client_id === clientId);
  }

  /** Sign-in names and client ids, for messages. */
  names(): { people: string[]; clients: string[] } {
    return { people: this.#people.map(({ name }) => name), clients: this.#clients.map(({ client_id }) => client_id) };
  }

  /**
   * The person whose sign-in name or e-mail and password these are; the comparison takes the same
   * time for every wrong password.
   */
  authenticate(login: string, password: string): Person | undefined {
    const wanted = login.trim().toLowerCase();
    const person = this.#people.find(({ name, email }) => name === wanted || email === wanted);
    const expected = person && this.#passwords.get(person.name);
    const matches = sameSecret(password, expected ?? '');
    return expected && matches ? person : undefined;
  }
}

/** Compares two secrets without telling by its duration where they differ or how long they are. */
export function sameSecret(presented: string, expected: string): boolean {
  return timingSafeEqual(sha256(presented), sha256(expected));
}

export function personClaims(person: Person): IdentityClaims {
  const { subject, display_name, email, groups, roles } = person;
  return { sub: subject, email, name: display_name, groups, roles };
}

export function clientClaims(client: ServiceClient): IdentityClaims {
  return { sub: client.subject, name: client.client_id, groups: [], roles: client.roles };
}

function sha256(value: string): Buffer {
  return createHash('sha256').update(value).digest();
}
