import type { IssuerSettings } from '@gatehouse/service-kit/config';
import { isDeepStrictEqual } from 'node:util';
import { comparisonKey, searchKey } from '../../validation/names.ts';
import { bindingOf } from '../../people/users/binding.ts';
import { directoryFields } from '../protocol/resources.ts';
import type { UserInput } from '../protocol/types.ts';
import type { ProvisionedUser, UserWrite } from './scim-users.repository.ts';

/** A stored person in the form in which a change is applied. */
export const inputOf = ({ user_name, external_id, active, scim }: ProvisionedUser): UserInput => ({
  user_name,
  external_id,
  active,
  attributes: scim,
});

/** Longest comparison form of an address in bytes: what a Postgres index entry can hold. */
const MAX_KEY_BYTES = 2_000;

/** All columns that follow from what SCIM says about a person of an issuer. */
export const writeOf = (input: UserInput, { binding }: Pick<IssuerSettings, 'binding'>): UserWrite => {
  const { display_name, email: address, photo_url } = directoryFields(input);
  const email = address !== null && Buffer.byteLength(comparisonKey(address)) <= MAX_KEY_BYTES ? address : null;
  const { emails } = input.attributes as { emails?: { value?: string; primary?: boolean }[] };
  const bound = bindingOf(binding, { userName: input.user_name, externalId: input.external_id, emails });
  return {
    user_name: input.user_name,
    user_name_key: comparisonKey(input.user_name),
    external_id: input.external_id,
    active: input.active,
    scim: input.attributes,
    email,
    email_key: email === null ? null : comparisonKey(email),
    display_name,
    photo_url,
    search_key: searchKey(display_name, input.user_name, email),
    binding_key: bound.binding_key,
    subject: bound.subject,
  };
};

/** The names of the attributes that differ, as SCIM calls them. */
export const changedAttributes = (before: UserInput, after: UserInput): string[] => {
  const flat = ({ user_name, external_id, active, attributes }: UserInput): Record<string, unknown> => ({
    userName: user_name,
    externalId: external_id,
    active,
    ...attributes,
  });
  const [old, next] = [flat(before), flat(after)];
  return [...new Set([...Object.keys(old), ...Object.keys(next)])].filter(
    (name) => !isDeepStrictEqual(old[name], next[name]),
  );
};
