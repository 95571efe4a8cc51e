import { USER_EXAMPLES } from '../http/scim-examples.ts';
import { ENTERPRISE_NAMES, IGNORED_MEMBERS } from '../http/scim-operations.ts';
import { createScimControllers } from '../resources/scim-resource-controllers.ts';
import { ScimUserBody } from '../http/scim.dto.ts';
import { ScimUserStore } from './scim-user-store.ts';

const NOTES = ENTERPRISE_NAMES + IGNORED_MEMBERS;

/** The operations on the users of an issuer over SCIM. */
export const SCIM_USER_CONTROLLERS = createScimControllers(
  {
    resourceType: 'User',
    body: ScimUserBody,
    descriptions: {
      list: 'Lists all users of the issuer, also users from the configuration or from a sign-in.',
      create: `A user name in use at the issuer is 409. An entry from the configuration or a sign-in that is bound to the same tokens under another user name becomes the new user.${NOTES}`,
      replace: `Removes absent attributes, except \`active\`.${NOTES}`,
      patch: `\`active\` false ends all access of the user at once; true restores it.${NOTES}`,
      delete: 'Removes the user permanently, with memberships and connections.',
    },
    examples: USER_EXAMPLES,
    patchAlsoEmpty: [],
    canForbidWrites: true,
  },
  ScimUserStore,
);
