import { timingSafeEqual, createHash } from 'node:crypto';

/** A user who can sign in. `subject` is a UUID that never changes. */
export interface Person {
  name: string;
  email: string;
  display_name: string;
  subject: string;
  roles: string[];
  groups: string[];
}

/** A service with client credentials. It has no password and no directory entry. */
export interface ServiceClient {
  client_id: string;
  subject: string;
  roles: string[];
  secret: string;
}

/** The claims about the subject in every access token. */
export interface IdentityClaims {
  sub: string;
  name: string;
  groups: string[];
  roles: string[];
  email?: string;
}

/** The users and service clients of one home. */
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

  /** Returns sign-in names and client ids, for messages. */
  names(): { people: string[]; clients: string[] } {
    return { people: this.#people.map(({ name }) => name), clients: this.#clients.map(({ client_id }) => client_id) };
  }

  /** Finds the user by name or e-mail and password, in constant time for every wrong password. */
  authenticate(login: string, password: string): Person | undefined {
    const normalized = login.trim().toLowerCase();
    const person = this.#people.find(({ name, email }) => name === normalized || email === normalized);
    const expected = person && this.#passwords.get(person.name);
    const matches = isSameSecret(password, expected ?? '');
    return expected && matches ? person : undefined;
  }
}

/** Compares two secrets in constant time. */
export function isSameSecret(presented: string, expected: string): boolean {
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
