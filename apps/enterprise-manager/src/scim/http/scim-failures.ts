import type { FailureForm } from '@gatehouse/service-kit/failure-form';
import { HttpError, HTTP_ERROR_STATUS, type HttpErrorKind } from '@gatehouse/service-kit/http-error';
import { z } from 'zod';
import { errorBody } from '../protocol/resources.ts';
import { ScimError } from '../protocol/types.ts';

/** Media type of SCIM (RFC 7644 §8.1). */
export const SCIM_JSON = 'application/scim+json';

const ERROR_URN = 'urn:ietf:params:scim:api:messages:2.0:Error';

const SCIM_TYPES = [
  'invalidFilter',
  'tooMany',
  'uniqueness',
  'mutability',
  'invalidSyntax',
  'invalidPath',
  'noTarget',
  'invalidValue',
  'invalidVers',
  'sensitive',
] as const;

/** The body of every failure. */
export const ScimFailure = z
  .object({
    schemas: z.array(z.literal(ERROR_URN)),
    status: z.string().describe('The HTTP status as text'),
    scimType: z.enum(SCIM_TYPES).optional(),
    detail: z.string().describe('One readable sentence'),
  })
  .meta({ id: 'ScimFailure', description: 'Why a SCIM request failed (RFC 7644 §3.12)' });

/**
 * Every failure below `/scim/`, whatever layer it comes from. A malformed request that no rule of
 * SCIM names is `invalidSyntax`.
 */
export const scimFailures: FailureForm = {
  under: '/scim/',
  contentType: SCIM_JSON,
  schema: ScimFailure,
  bodyOf: ({ status, code, sentence }) => {
    const scimType = SCIM_TYPES.find((type) => type === code) ?? (status === 400 ? 'invalidSyntax' : undefined);
    return errorBody({ status, scimType, detail: sentence });
  },
};

/** What an error of the protocol core means for callers. */
export const toScimHttpError = (error: unknown): HttpError | undefined => {
  if (!(error instanceof ScimError)) return undefined;
  const { status, scimType, detail } = error;
  const details = { cause: error, ...(scimType !== undefined && { code: scimType }) };
  return new HttpError(KINDS.get(status) ?? 'invalid', detail, details);
};

const KINDS = new Map<number, HttpErrorKind>(
  Object.entries(HTTP_ERROR_STATUS).map(([kind, status]) => [status, kind as HttpErrorKind]),
);
