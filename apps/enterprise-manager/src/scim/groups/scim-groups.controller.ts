import { GROUP_EXAMPLES } from '../http/scim-examples.ts';
import { IGNORED_MEMBERS } from '../http/scim-operations.ts';
import { createScimControllers } from '../resources/scim-resource-controllers.ts';
import { ScimGroupBody } from '../http/scim.dto.ts';
import { ScimGroupStore } from './scim-group-store.ts';

/** The operations on the groups that an issuer provisions, over SCIM. */
export const SCIM_GROUP_CONTROLLERS = createScimControllers(
  {
    resourceType: 'Group',
    body: ScimGroupBody,
    descriptions: {
      list: 'Lists the groups that the issuer provisions. With `excludedAttributes=members`, the members are not read.',
      create: `A display name in use in the directory is 409. Members are users of the issuer and groups that it provisions; other members are left out.${IGNORED_MEMBERS}`,
      replace: `Replaces all members by the members of the body.${IGNORED_MEMBERS}`,
      patch: `Returns 204, or 200 with the group if the request has \`attributes\` or \`excludedAttributes\`. Concurrent changes of one group are possible.${IGNORED_MEMBERS}`,
      delete: 'Its members stay in the directory.',
    },
    examples: GROUP_EXAMPLES,
    patchAlsoEmpty: [204],
    canForbidWrites: false,
  },
  ScimGroupStore,
);
