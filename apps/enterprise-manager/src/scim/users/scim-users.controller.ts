import { USER_EXAMPLES } from '../http/scim-examples.ts';
import { ENTERPRISE_NAMES, IGNORED_MEMBERS } from '../http/scim-operations.ts';
import { scimResourceController } from '../http/scim-resource-controller.ts';
import { ScimUserBody } from '../http/scim.dto.ts';
import { ScimUserStore } from './scim-user-store.ts';

const NOTES = ENTERPRISE_NAMES + IGNORED_MEMBERS;

/** The users of an issuer over SCIM. */
export const ScimUsersController = scimResourceController(
  {
    resourceType: 'User',
    body: ScimUserBody,
    descriptions: {
      list: 'Everybody of the issuer, also those whom the configuration or a sign-in has brought.',
      create: `A user name that the issuer has already is 409. Somebody who signed in under another user name, but whose tokens the new user is bound to, becomes that user.${NOTES}`,
      replace: `What is left out is unassigned, except \`active\`.${NOTES}`,
      patch: `\`active\` false ends what the person may do at once, true brings it back.${NOTES}`,
      delete: 'Removes the person for good, with memberships and connections.',
    },
    examples: USER_EXAMPLES,
    canForbidWrites: true,
  },
  ScimUserStore,
);
