import type { OperationOptions, SuccessAnswer } from '@gatehouse/service-kit/route-facts';
import { BATCH_BODY_BYTES } from '@gatehouse/service-kit/operation';
import type { ZodType } from 'zod';
import { MAX_MEMBERS } from '../protocol/read-group.ts';
import { SCIM_JSON } from './scim-failures.ts';

/** The options that all SCIM operations share: tag, and types and limits of the body. */
const SHARED_OPTIONS = {
  tag: 'scim',
  bodyLimit: BATCH_BODY_BYTES,
  lists: {
    maximum: {
      members: MAX_MEMBERS,
      'operations.*.value': MAX_MEMBERS,
      'operations.*.value.members': MAX_MEMBERS,
    },
  },
  bodyContentTypes: [SCIM_JSON, 'application/json'],
} satisfies Partial<OperationOptions>;

/** Part of the description of every write of users. */
export const ENTERPRISE_NAMES =
  ' Attributes of the enterprise extension are accepted by their bare names, too (`manager`).';

/** Part of the description of every write. */
export const IGNORED_MEMBERS =
  ' Members that are in no schema are ignored, logged by name and counted (`gatehouse.scim.ignored_members`).';

/** Adds the shared options to a SCIM operation. */
export const createScimOperation = (
  operation: Omit<OperationOptions, keyof typeof SHARED_OPTIONS | 'success'> & { success: SuccessAnswer },
): OperationOptions => ({ ...SHARED_OPTIONS, ...operation });

/** A successful response with a SCIM body. */
export const createScimSuccess = (status: number, schema: ZodType, headers: string[] = []): SuccessAnswer => ({
  status,
  schema,
  contentType: SCIM_JSON,
  headers,
});
