import type { IssuerSettings } from '@gatehouse/service-kit/config';
import { isDeepStrictEqual } from 'node:util';
import { toComparisonKey, buildSearchKey } from '../../validation/names.ts';
import { computeBinding } from '../../people/users/binding.ts';
import { getDirectoryFields } from '../protocol/resources.ts';
import type { UserInput } from '../protocol/types.ts';
import type { ProvisionedUser, UserWrite } from './scim-users.repository.ts';

/** Converts a stored user to the form that changes apply to. */
export const toUserInput = ({ user_name, external_id, active, scim }: ProvisionedUser): UserInput => ({
  user_name,
  external_id,
  active,
  attributes: scim,
});

/** Maximum size of the comparison form of an address in bytes: the limit of a Postgres index. */
const MAX_KEY_BYTES = 2_000;

/** Computes the columns of a provisioned user. */
export const toUserWrite = (input: UserInput, { binding }: Pick<IssuerSettings, 'binding'>): UserWrite => {
  const { display_name, email: address, photo_url } = getDirectoryFields(input);
  const email = address !== null && Buffer.byteLength(toComparisonKey(address)) <= MAX_KEY_BYTES ? address : null;
  const { emails } = input.attributes as { emails?: { value?: string; primary?: boolean }[] };
  const bound = computeBinding(binding, { userName: input.user_name, externalId: input.external_id, emails });
  return {
    user_name: input.user_name,
    user_name_key: toComparisonKey(input.user_name),
    external_id: input.external_id,
    active: input.active,
    scim: input.attributes,
    email,
    email_key: email === null ? null : toComparisonKey(email),
    display_name,
    photo_url,
    search_key: buildSearchKey(display_name, input.user_name, email),
    binding_key: bound.binding_key,
    subject: bound.subject,
  };
};

/** Lists the SCIM names of the attributes that differ. */
export const listChangedAttributes = (before: UserInput, after: UserInput): string[] => {
  const flatten = ({ user_name, external_id, active, attributes }: UserInput): Record<string, unknown> => ({
    userName: user_name,
    externalId: external_id,
    active,
    ...attributes,
  });
  const [old, next] = [flatten(before), flatten(after)];
  return [...new Set([...Object.keys(old), ...Object.keys(next)])].filter(
    (name) => !isDeepStrictEqual(old[name], next[name]),
  );
};
