import type { OperationOptions, SuccessAnswer } from '@gatehouse/service-kit/route-facts';
import { BATCH_BODY_BYTES } from '@gatehouse/service-kit/operation';
import type { ZodType } from 'zod';
import { MAX_MEMBERS } from '../protocol/read-group.ts';
import { SCIM_JSON } from './scim-failures.ts';

/**
 * What every SCIM operation shares: its place in the reference, and the types and size of its body.
 */
const SHARED = {
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

/** Part of the description of every write of users: which names are taken. */
export const ENTERPRISE_NAMES =
  ' Attributes of the enterprise extension are taken by their bare names too (`manager`).';

/** Part of the description of every write: members that are not kept. */
export const IGNORED_MEMBERS =
  ' Members that no schema has are ignored, logged by name and counted (`gatehouse.scim.ignored_members`).';

/** A SCIM operation in the reference. */
export const scimOperation = (
  operation: Omit<OperationOptions, keyof typeof SHARED | 'success'> & { success: SuccessAnswer },
): OperationOptions => ({ ...SHARED, ...operation });

/** A success with a SCIM body. */
export const scimSuccess = (status: number, schema: ZodType, headers: string[] = []): SuccessAnswer => ({
  status,
  schema,
  contentType: SCIM_JSON,
  headers,
});
