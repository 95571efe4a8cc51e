import { GROUP_EXAMPLES } from '../http/scim-examples.ts';
import { IGNORED_MEMBERS } from '../http/scim-operations.ts';
import { scimResourceController } from '../http/scim-resource-controller.ts';
import { ScimGroupBody } from '../http/scim.dto.ts';
import { ScimGroupStore } from './scim-group-store.ts';

/** The groups that an issuer provisions, over SCIM. */
export const ScimGroupsController = scimResourceController(
  {
    resourceType: 'Group',
    body: ScimGroupBody,
    descriptions: {
      list: 'The groups that the issuer provisions. `excludedAttributes=members` spares reading the members.',
      create: `A display name that another group of the directory has is 409. Members are people of the issuer and groups that it provisions; others are left out.${IGNORED_MEMBERS}`,
      replace: `The members are exactly those of the body afterwards.${IGNORED_MEMBERS}`,
      patch: `Answers 204, or 200 with the group when \`attributes\` or \`excludedAttributes\` ask for it. Any number of changes of one group may come at once.${IGNORED_MEMBERS}`,
      delete: 'Its members stay in the directory.',
    },
    examples: GROUP_EXAMPLES,
    patchAlsoEmpty: [204],
    canForbidWrites: false,
  },
  ScimGroupStore,
);
