import type { FailureForm } from '@gatehouse/service-kit/failure-form';
import { HttpError, HTTP_ERROR_STATUS, type HttpErrorKind } from '@gatehouse/service-kit/http-error';
import { z } from 'zod';
import { createErrorBody } from '../protocol/resources.ts';
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

/** The body of every error. */
export const ScimFailure = z
  .object({
    schemas: z.array(z.literal(ERROR_URN)),
    status: z.string().describe('The HTTP status as text'),
    scimType: z.enum(SCIM_TYPES).optional(),
    detail: z.string().describe('The reason, and what to do next'),
  })
  .meta({ id: 'ScimFailure', description: 'Why a SCIM request failed (RFC 7644 §3.12)' });

/**
 * The form of all errors below `/scim/`, from every layer. A malformed request without a `scimType`
 * of its own is `invalidSyntax`.
 */
export const scimFailures: FailureForm = {
  pathPrefix: '/scim/',
  contentType: SCIM_JSON,
  schema: ScimFailure,
  createBody: ({ status, code, sentence }) => {
    const scimType = SCIM_TYPES.find((type) => type === code) ?? (status === 400 ? 'invalidSyntax' : undefined);
    return createErrorBody({ status, scimType, detail: sentence });
  },
};

/** Converts an error of the protocol core to the HTTP error. */
export const toScimHttpError = (error: unknown): HttpError | undefined => {
  if (!(error instanceof ScimError)) return undefined;
  const { status, scimType, detail } = error;
  const details = { cause: error, ...(scimType !== undefined && { code: scimType }) };
  return new HttpError(KIND_BY_STATUS.get(status) ?? 'invalid', detail, details);
};

const KIND_BY_STATUS = new Map<number, HttpErrorKind>(
  Object.entries(HTTP_ERROR_STATUS).map(([kind, status]) => [status, kind as HttpErrorKind]),
);
