// Generated from openapi.json by `npm run contracts`. Do not edit.
export interface paths {
    "/.well-known/gatehouse-configuration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Client configuration discovery */
        get: operations["DiscoveryDocuments_clientBootstrap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get JWKS
         * @description The keys that verify what this service signs: the one that signs, the next one, and former ones until all that they signed is over.
         */
        get: operations["DiscoveryDocuments_jwks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-protected-resource": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** OAuth protected resource metadata */
        get: operations["DiscoveryDocuments_protectedResource"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-protected-resource/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * OAuth protected resource metadata of a resource with a path
         * @description RFC 9728 puts the path of `resource` behind the well-known part; any other path is a 404.
         */
        get: operations["DiscoveryDocuments_protectedResourceAt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1beta/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get enterprise configuration
         * @description What the caller’s client is configured with, by the caller’s groups, signed for this person and this type of client with a key of `/.well-known/jwks.json`. The ETag is of one issue of the envelope: 304 is answered only before half of its lifetime, then a new one is sent; also to `If-None-Match: *`, which does not say what the client has. While the database is away the last known configuration is sent with `degraded_mode` until its `grace_period` is over.
         */
        get: operations["ConfigEnvelope_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/gateway/v1/gateways/{gateway_id}/connections/{user_id}/{connector_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Enable or disable a connection for a user */
        put: operations["GatewayCalls_setConnection"];
        post?: never;
        /**
         * Clear a connection of a user
         * @description Back to the default; nothing happens where it is the default already.
         */
        delete: operations["GatewayCalls_clearConnection"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/gateway/v1/gateways/{gateway_id}/entitlements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get entitlements of a person
         * @description The person that a token speaks of. The first time a provisioned person comes with a binding, the entry takes over the subject.
         */
        get: operations["GatewayCalls_ofPerson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/gateway/v1/gateways/{gateway_id}/entitlements/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get entitlements of a user */
        get: operations["GatewayCalls_ofUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/gateway/v1/gateways/{gateway_id}/secrets/{id}/reveal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reveal managed secret
         * @description The value of a secret that an available connector of this gateway uses; any other does not exist here, nor does that of a draft. Every answer is on the audit trail.
         */
        post: operations["Reveal_reveal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/gateway/v1/gateways/{gateway_id}/snapshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get gateway snapshot
         * @description Connectors and policies. With If-None-Match and `wait` the answer waits until something changes.
         */
        get: operations["GatewayCalls_snapshot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/gateway/v1/gateways/{gateway_id}/tool-calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report tool calls
         * @description Stores each record once by its call_id; a batch may be repeated safely. The answer is 200 with one result for each item.
         */
        post: operations["GatewayCalls_report"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/gateway/v1/keys/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List changed virtual API keys
         * @description Names the keys that have changed after a version, and waits for a change where there is none yet. A gateway asks first without `after`, then always with the `version` of the last answer, and lets go of what it keeps about the keys that are named. That is sooner than the second of each answer, and does not replace it: a question whose answer never arrives says nothing.
         */
        get: operations["KeyCalls_changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/gateway/v1/keys/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resolve a virtual API key
         * @description Whom a presented key speaks for. Everything that opens nothing is the same 404: unknown, disabled, revoked or expired keys, the secret before a rotation after its 24 hours, and keys of people who are not active. A revoked key is never answered later than one second after its revocation, by any replica; 503 where that cannot be known. A gateway that keeps answers stays within the same second when it uses an answer until `cache_seconds` after it asked, less `age_ms`.
         */
        post: operations["KeyCalls_resolve"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Health check */
        get: operations["health_check"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Readiness check */
        get: operations["readiness_check"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/{issuer_id}/v2/.search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** SCIM: search all types */
        post: operations["ScimRefused_search"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/{issuer_id}/v2/Bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** SCIM: bulk */
        post: operations["ScimRefused_bulk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/{issuer_id}/v2/Groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * SCIM: list groups
         * @description The groups that the issuer provisions. `excludedAttributes=members` spares reading the members.
         */
        get: operations["ScimGroups_list"];
        put?: never;
        /**
         * SCIM: create group
         * @description A display name that another group of the directory has is 409. Members are people of the issuer and groups that it provisions; others are left out.
         */
        post: operations["ScimGroups_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/{issuer_id}/v2/Groups/.search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** SCIM: search groups */
        post: operations["ScimGroups_search"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/{issuer_id}/v2/Groups/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** SCIM: get group */
        get: operations["ScimGroups_get"];
        /**
         * SCIM: replace group
         * @description The members are those of the body afterwards, and nobody else.
         */
        put: operations["ScimGroups_replace"];
        post?: never;
        /**
         * SCIM: delete group
         * @description Its members stay in the directory.
         */
        delete: operations["ScimGroups_delete"];
        options?: never;
        head?: never;
        /**
         * SCIM: patch group
         * @description Answers 204, or 200 with the group when `attributes` or `excludedAttributes` ask for it. Any number of changes of one group may come at once.
         */
        patch: operations["ScimGroups_patch"];
        trace?: never;
    };
    "/scim/{issuer_id}/v2/Me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** SCIM: get me */
        get: operations["ScimRefused_getMe"];
        /** SCIM: replace me */
        put: operations["ScimRefused_replaceMe"];
        /** SCIM: create me */
        post: operations["ScimRefused_createMe"];
        /** SCIM: delete me */
        delete: operations["ScimRefused_deleteMe"];
        options?: never;
        head?: never;
        /** SCIM: patch me */
        patch: operations["ScimRefused_patchMe"];
        trace?: never;
    };
    "/scim/{issuer_id}/v2/ResourceTypes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** SCIM: list resource types */
        get: operations["ScimDiscovery_resourceTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/{issuer_id}/v2/ResourceTypes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** SCIM: get resource type */
        get: operations["ScimDiscovery_resourceType"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/{issuer_id}/v2/Schemas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** SCIM: list schemas */
        get: operations["ScimDiscovery_schemas"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/{issuer_id}/v2/Schemas/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** SCIM: get schema */
        get: operations["ScimDiscovery_schema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/{issuer_id}/v2/ServiceProviderConfig": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** SCIM: get service provider configuration */
        get: operations["ScimDiscovery_configuration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/{issuer_id}/v2/Users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * SCIM: list users
         * @description Everybody of the issuer, also those whom the configuration or a sign-in has brought.
         */
        get: operations["ScimUsers_list"];
        put?: never;
        /**
         * SCIM: create user
         * @description A user name that the issuer has already is 409. Somebody who signed in under another user name, but whose tokens the new user is bound to, becomes that user.
         */
        post: operations["ScimUsers_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/{issuer_id}/v2/Users/.search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** SCIM: search users */
        post: operations["ScimUsers_search"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/{issuer_id}/v2/Users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** SCIM: get user */
        get: operations["ScimUsers_get"];
        /**
         * SCIM: replace user
         * @description What is left out is unassigned, except `active`.
         */
        put: operations["ScimUsers_replace"];
        post?: never;
        /**
         * SCIM: delete user
         * @description Removes the person for good, with memberships and connections.
         */
        delete: operations["ScimUsers_delete"];
        options?: never;
        head?: never;
        /**
         * SCIM: patch user
         * @description `active` false ends what the person may do at once, true brings it back.
         */
        patch: operations["ScimUsers_patch"];
        trace?: never;
    };
    "/v1/audit-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audit events
         * @description Every administrative change and every request that was answered 403, newest first.
         */
        get: operations["Audit_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/client-config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get client configuration
         * @description The base document and the overrides of groups, as administrators wrote them.
         */
        get: operations["ClientConfig_get"];
        /**
         * Put client configuration
         * @description Replaces the base document and all overrides. Each directive of a person comes whole from one document: from the override of lowest `precedence` among the groups that hold the person, else from the base; a directive that is `enforced` in any of these documents beats those that are a `default`. Clients have it at their next refresh. An override goes with its group.
         */
        put: operations["ClientConfig_put"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connections/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get connection */
        get: operations["Connections_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connectors/{id}/policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get connector policy */
        get: operations["Policies_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connectors/{id}/policy/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Replace a connector policy's granted user groups */
        put: operations["Policies_replaceGroups"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connectors/{id}/policy/groups/{group_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke a user group's access to a connector */
        delete: operations["Policies_revokeGroup"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/gateways/{gateway_id}/connectors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List connectors */
        get: operations["Connectors_list"];
        put?: never;
        /**
         * Create connector
         * @description With `draft` false the endpoint is called first: the connector is then available, or failure with the reason in `status_message`.
         */
        post: operations["Connectors_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/gateways/{gateway_id}/connectors/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get connector */
        get: operations["Connectors_get"];
        /**
         * Update connector
         * @description Replaces the whole state. `draft` false publishes and calls the endpoint first; `draft` true takes the connector back at once. The slug stays.
         */
        put: operations["Connectors_update"];
        post?: never;
        /**
         * Delete connector
         * @description Removes the connector with its policy and everybody’s connections to it.
         */
        delete: operations["Connectors_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/gateways/{gateway_id}/connectors/{id}/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List connector connections */
        get: operations["Connections_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List groups */
        get: operations["Groups_list"];
        put?: never;
        /** Create group */
        post: operations["Groups_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/groups/{group_id}/subgroups/{child_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Add subgroup
         * @description Groups nest at most 32 deep and never in a circle.
         */
        put: operations["Memberships_addSubgroup"];
        post?: never;
        /** Remove subgroup */
        delete: operations["Memberships_removeSubgroup"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/groups/{group_id}/users/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Add user member */
        put: operations["Memberships_addUser"];
        post?: never;
        /** Remove user member */
        delete: operations["Memberships_removeUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/groups/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get group */
        get: operations["Groups_get"];
        put?: never;
        post?: never;
        /**
         * Delete group
         * @description Its people and subgroups stay in the directory.
         */
        delete: operations["Groups_delete"];
        options?: never;
        head?: never;
        /**
         * Patch group
         * @description A new display name gives a new name too.
         */
        patch: operations["Groups_patch"];
        trace?: never;
    };
    "/v1/groups/{id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get group members
         * @description Two lists with cursors of their own: groups directly in the group, and people in it directly or through its subgroups. `active` looks at people only.
         */
        get: operations["Memberships_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/groups/{id}/metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get group metadata */
        get: operations["GroupMetadata_get"];
        /**
         * Put group metadata
         * @description Replaces the whole document. A provisioned group can have one too.
         */
        put: operations["GroupMetadata_put"];
        post?: never;
        /**
         * Delete group metadata
         * @description Nothing happens where there is none.
         */
        delete: operations["GroupMetadata_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/key-encryption": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get key encryption
         * @description Which versions of the key-encryption key there are, and how many stored values each of them wraps.
         */
        get: operations["KeyEncryption_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/key-encryption/rewrap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rewrap stored values
         * @description Begins to bring every stored value under the current version. Every replica does so by itself at start, when its keys change, and once a minute; the answer does not wait for it.
         */
        post: operations["KeyEncryption_rewrap"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller's virtual API keys
         * @description Newest first: all that are not revoked, then the newest revoked ones.
         */
        get: operations["Keys_list"];
        put?: never;
        /**
         * Create a virtual API key
         * @description The key belongs to the caller and acts in the caller's name. Its secret is in this answer and in no other. A person has at most 100 keys that are neither revoked nor expired.
         */
        post: operations["Keys_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one of the caller's virtual API keys */
        get: operations["Keys_get"];
        put?: never;
        post?: never;
        /**
         * Revoke one of the caller's virtual API keys
         * @description For ever, from every state, and its old secret with it. Revoking a revoked key changes nothing.
         */
        delete: operations["Keys_revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{id}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable one of the caller's virtual API keys
         * @description Until it is enabled again. Disabling a key that the caller disabled already changes nothing.
         */
        post: operations["Keys_disable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Re-enable one of the caller's disabled virtual API keys
         * @description Undoes what the caller disabled. A key that is revoked or expired, or that an administrator disabled, is 409.
         */
        post: operations["Keys_enable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate one of the caller's virtual API keys
         * @description The key gets a new secret, shown in this answer alone; the secret before works for 24 hours, one before that ends at once. Only an active key is rotated. With the header `Idempotency-Key` a repeat is 409 instead of a second rotation, which would end the last secret that the caller has.
         */
        post: operations["Keys_rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/managed-secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List managed secrets */
        get: operations["ManagedSecrets_list"];
        put?: never;
        /**
         * Create managed secret
         * @description The value is encrypted before it is stored, and no operation for administrators shows it again.
         */
        post: operations["ManagedSecrets_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/managed-secrets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get managed secret */
        get: operations["ManagedSecrets_get"];
        /**
         * Update managed secret
         * @description Gives the secret its next value. Gateways send it from their next request on.
         */
        put: operations["ManagedSecrets_update"];
        post?: never;
        /**
         * Delete managed secret
         * @description A secret that a connector uses stays; the answer names the users.
         */
        delete: operations["ManagedSecrets_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the caller's own directory profile
         * @description Also answers 200 for a caller whom the directory does not know: with the issuer and subject of the token and no groups.
         */
        get: operations["Me_profile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List my connections */
        get: operations["OwnConnections_list"];
        put?: never;
        /** Create my connection */
        post: operations["OwnConnections_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/connections/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get my connection */
        get: operations["OwnConnections_get"];
        put?: never;
        post?: never;
        /**
         * Delete my connection
         * @description Puts the connector back to its default for the caller: not enabled.
         */
        delete: operations["OwnConnections_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/connections/{id}/enabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Enable or disable my connection */
        put: operations["OwnConnections_setEnabled"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/connections/{id}/tool-policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Set my connection's tool narrowing */
        put: operations["OwnConnections_setToolPolicy"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/gateways/{gateway_id}/connectors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List connectors visible to me */
        get: operations["OwnConnectors_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/gateways/{gateway_id}/connectors/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a connector visible to me */
        get: operations["OwnConnectors_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/metering/usage/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** My tool-call activity */
        get: operations["Metering_ofCaller"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metering/usage/connectors/{id}/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Connector tool-call activity
         * @description Calls to a connector, newest first. Administrators and auditors see everybody’s calls, everybody else their own. A connector that was removed keeps its records.
         */
        get: operations["Metering_ofConnector"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/scim-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List SCIM tokens */
        get: operations["ScimTokens_list"];
        put?: never;
        /**
         * Create SCIM token
         * @description The answer holds the secret, this once. It opens the SCIM endpoint of its issuer and nothing else.
         */
        post: operations["ScimTokens_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/scim-tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get SCIM token */
        get: operations["ScimTokens_get"];
        put?: never;
        post?: never;
        /**
         * Revoke SCIM token
         * @description Its secrets stop working with the next request, on every replica. It stays in the list as revoked.
         */
        delete: operations["ScimTokens_revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/scim-tokens/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate SCIM token
         * @description Gives the token a new secret. The old one goes on working for a day, or for `grace_seconds`; a second rotation in that time keeps only the newest old secret.
         */
        post: operations["ScimTokens_rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/signing-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List signing keys
         * @description The keys of the key set and their states; private halves are never shown.
         */
        get: operations["SigningKeys_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/signing-keys/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate signing keys
         * @description The next key signs from now on, the current one only verifies until everything that it signed is over, and a new next key is made. Replicas follow within a second. 409 while the next key has not been shown for ten minutes: clients may remember a key set without it.
         */
        post: operations["SigningKeys_rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/signing-keys/{kid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Withdraw signing key
         * @description For a key that somebody else may have: it leaves the key set at once, and what it signed verifies no more. Replicas follow within a second, whoever remembers a key set within five minutes. In place of the current key the next one signs from now on, however short it was shown; a new next key is made where one is missing. Clients have a new envelope when they ask again.
         */
        delete: operations["SigningKeys_withdraw"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List users */
        get: operations["Users_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get user */
        get: operations["Users_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{id}/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get user groups
         * @description The groups that hold the person, directly or through subgroups: those that count for access.
         */
        get: operations["UserGroups_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{id}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a user's virtual API keys
         * @description Newest first: all that are not revoked, then the newest revoked ones.
         */
        get: operations["UserKeys_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{id}/keys/{key_id}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable a virtual API key of a user
         * @description Its owner cannot enable it; an administrator can.
         */
        post: operations["UserKeys_disable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{id}/keys/{key_id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Re-enable a virtual API key of a user
         * @description Takes back what an administrator disabled. What the owner disabled stays so: a key that the owner alone disabled is 409.
         */
        post: operations["UserKeys_enable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{id}/metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get user metadata */
        get: operations["UserMetadata_get"];
        /**
         * Put user metadata
         * @description Replaces the whole document. A provisioned user can have one too.
         */
        put: operations["UserMetadata_put"];
        post?: never;
        /**
         * Delete user metadata
         * @description Nothing happens where there is none.
         */
        delete: operations["UserMetadata_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A change that was made, or a request that was forbidden */
        AuditEvent: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            occurred_at: string;
            request_id: string;
            issuer: string;
            /** @description Who asked, together with `issuer` */
            subject: string;
            /** @description Name of the operation, as in the reference */
            operation: string;
            object_kind?: string;
            object_id?: string;
            /**
             * @description `succeeded`: the change was made; `forbidden`: the caller was answered 403
             * @enum {string}
             */
            outcome: "succeeded" | "forbidden";
            /** @description Names of what changed, never values */
            changed_fields: string[];
            /** @description How many requests this line stands for: more than one where a caller was refused over and over */
            occurrences: number;
        };
        /** @description Events, newest first */
        AuditEventPage: {
            items: components["schemas"]["AuditEvent"][];
            next_cursor?: string;
            prev_cursor?: string;
        };
        AwsStsAuth: {
            provider_id: string;
            region: string;
            service?: string;
            role_claim?: string;
            role_mappings?: components["schemas"]["RoleMapping"][];
            fallback_role_arn?: string;
            session_duration?: number;
            session_name_claim?: string;
        };
        AwsStsAuthWrite: {
            /** Format: uuid */
            provider_id: string;
            region: string;
            service?: string;
            role_claim?: string;
            role_mappings?: components["schemas"]["RoleMapping"][];
            fallback_role_arn?: string;
            session_duration?: number;
            session_name_claim?: string;
        };
        BearerTokenAuthWrite: {
            token?: components["schemas"]["SecretRef"];
        };
        /** @description A switch of the client */
        BooleanDirective: {
            value: boolean;
            /**
             * @description `enforced`: the person cannot change it; `default`: it holds until the person chooses otherwise
             * @enum {string}
             */
            enforcement: "enforced" | "default";
        };
        /** @description Authorities that clients trust besides those of the machine */
        CaCertificateDirective: {
            value: components["schemas"]["CaCertificateSettings"];
            /**
             * @description `enforced`: the person cannot change it; `default`: it holds until the person chooses otherwise
             * @enum {string}
             */
            enforcement: "enforced" | "default";
        };
        CaCertificateSettings: {
            /** @description CA certificates, PEM (RFC 7468) */
            pem?: string;
            /**
             * Format: uri
             * @description Where they are to be had
             */
            url?: string;
        };
        ChangedKey: {
            key_id: string;
            version: number;
        };
        /** @description Where a client begins */
        ClientBootstrapDiscovery: {
            /** @description OpenID provider to sign in at */
            issuer: string;
            /** @description Public client to sign in with */
            client_id: string;
            /**
             * @example [
             *       "openid",
             *       "profile",
             *       "email"
             *     ]
             */
            scopes_supported: string[];
            /** @description Where the signed configuration is served */
            config_endpoint: string;
            /** @description Keys that verify the signed configuration */
            jwks_uri: string;
            oauth_protected_resource: string;
        };
        /** @description What clients are configured with */
        ClientConfig: {
            /** @description For everybody */
            config: components["schemas"]["EnterpriseConfig"];
            /** @description By precedence */
            overrides: components["schemas"]["ClientConfigOverride"][];
        };
        /** @description Directives of a group */
        ClientConfigOverride: {
            /**
             * Format: uuid
             * @description People in the group, directly or through subgroups
             */
            group_id: string;
            /** @description Where several overrides of one person name a directive, the lowest number counts; each is given once */
            precedence: number;
            config: components["schemas"]["EnterpriseConfig"];
        };
        /** @description What a client is configured with, signed for it and its person */
        ConfigEnvelope: {
            schema_version: string;
            config: components["schemas"]["EnterpriseConfig"];
            /** @description Present while the database is away: `config` is then the last one that is known */
            degraded_mode?: components["schemas"]["DegradedMode"];
            /**
             * Format: date-time
             * @description Grows with every change; a client takes nothing older than what it has
             */
            issued_at: string;
            /**
             * Format: date-time
             * @description From this instant on the envelope must not be used
             */
            not_after: string;
            /** @description When to ask again, for example `5m` */
            refresh_interval: string;
            /** @description `sha256:` and the digest of the canonical `config` and `degraded_mode` (RFC 8785) */
            etag: string;
            /** @description Detached JWS (RFC 7515, RFC 7797, ES256) over the canonical envelope without `signature` and `etag`; its header names the client type in `aud` and the list of issuer and subject in `sub` */
            signature: string;
        };
        /** @description What a person has set for a connector */
        Connection: {
            /** Format: uuid */
            id: string;
            gateway_id: string;
            /** Format: uuid */
            connector_id: string;
            /** Format: uuid */
            user_id: string;
            /** @description Whether the gateway offers the connector to this person */
            enabled: boolean;
            tools_enabled_by_default: boolean;
            tools_exception_list: string[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @description A connection of the caller to a connector */
        ConnectionCreate: {
            gateway_id: string;
            /** Format: uuid */
            connector_id: string;
            /** @description Default true */
            enabled?: boolean;
            /** @description Default true */
            tools_enabled_by_default?: boolean;
            /** @description Tools, by the server’s own names, for which the opposite of the default holds; unknown names are kept */
            tools_exception_list?: string[];
        };
        /** @description Whether the gateway shall offer the connector */
        ConnectionEnabledWrite: {
            enabled: boolean;
        };
        /** @description Connections in the order in which they were made */
        ConnectionPage: {
            items: components["schemas"]["Connection"][];
            next_cursor?: string;
            prev_cursor?: string;
        };
        /** @description Which tools are on; a list that is left out is empty */
        ConnectionToolPolicyWrite: {
            tools_enabled_by_default: boolean;
            /** @description Tools, by the server’s own names, for which the opposite of the default holds; unknown names are kept */
            tools_exception_list?: string[];
        };
        /** @description An MCP server that a gateway offers */
        Connector: {
            /** Format: uuid */
            id: string;
            gateway_id: string;
            name: string;
            /** @description Prefix of the tools at the gateway, `<slug>__<tool>`: at most 24 characters of `[a-z0-9-]`; made from the name, never changed */
            slug: string;
            endpoint: string;
            /** @enum {string} */
            transport: "streamable-http" | "sse";
            auth: components["schemas"]["ConnectorAuth"];
            /** @description Whether the endpoint may have a private address, and plain http */
            allow_private_ips: boolean;
            /** @enum {string} */
            deployment_mode: "kubernetes" | "proxy_remote";
            /** @enum {string} */
            origin: "manual" | "kubernetes_cluster" | "custom_registry" | "gatehouse_registry";
            description?: string;
            icon_url?: string;
            repository_url?: string;
            support_url?: string;
            version?: string;
            source_name?: string;
            source_namespace?: string;
            /**
             * @description `draft` until published, then what the check of the endpoint said; only `available` reaches people
             * @enum {string}
             */
            status: "draft" | "available" | "failure";
            /** @description Why the check failed, in one sentence */
            status_message?: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /**
         * @description How the gateway authenticates to the upstream
         * @example {
         *       "type": "headerInjection",
         *       "header_injection": {
         *         "header_name": "X-Api-Key"
         *       }
         *     }
         */
        ConnectorAuth: {
            /** @enum {string} */
            type: "none" | "bearerToken" | "headerInjection" | "upstreamInject" | "tokenExchange" | "awsSts" | "obo" | "xaa";
            header_injection?: components["schemas"]["HeaderInjectionAuth"];
            upstream_inject?: components["schemas"]["UpstreamInjectAuth"];
            token_exchange?: components["schemas"]["TokenExchangeAuth"];
            aws_sts?: components["schemas"]["AwsStsAuth"];
            obo?: components["schemas"]["OboAuth"];
            xaa?: components["schemas"]["XaaAuth"];
        };
        /**
         * @description How the gateway authenticates to the upstream
         * @example {
         *       "type": "headerInjection",
         *       "header_injection": {
         *         "header_name": "X-Api-Key",
         *         "value": {
         *           "managed_secret_id": "0197a3c2-1a11-7497-a7a9-9d3b828c906b"
         *         }
         *       }
         *     }
         */
        ConnectorAuthWrite: {
            /** @enum {string} */
            type: "none" | "bearerToken" | "headerInjection" | "upstreamInject" | "tokenExchange" | "awsSts" | "obo" | "xaa";
            bearer_token?: components["schemas"]["BearerTokenAuthWrite"];
            header_injection?: components["schemas"]["HeaderInjectionAuthWrite"];
            upstream_inject?: components["schemas"]["UpstreamInjectAuthWrite"];
            token_exchange?: components["schemas"]["TokenExchangeAuthWrite"];
            aws_sts?: components["schemas"]["AwsStsAuthWrite"];
            obo?: components["schemas"]["OboAuthWrite"];
            xaa?: components["schemas"]["XaaAuthWrite"];
        };
        /** @description Connectors in the order in which they were made */
        ConnectorPage: {
            items: components["schemas"]["Connector"][];
            next_cursor?: string;
            prev_cursor?: string;
        };
        /** @description Who may use a connector */
        ConnectorPolicy: {
            /** Format: uuid */
            connector_id: string;
            /**
             * @description `structured`: the document is made from the granted groups; `cedar`: an administrator wrote it
             * @enum {string}
             */
            mode: "structured" | "cedar";
            /** @description The Cedar document that decides; an empty one denies everybody */
            document: string;
            granted_user_groups: components["schemas"]["GroupRef"][];
        };
        /** @description A connector to be created, or its new state */
        ConnectorWrite: {
            name: string;
            /** @description Address of the MCP server; https unless private addresses are allowed. Checked when published and at every call */
            endpoint: string;
            /** @enum {string} */
            transport: "streamable-http" | "sse";
            /** @description `false` publishes: the endpoint is checked, and the connector becomes available or failure */
            draft: boolean;
            /** @description Default is the type `none` */
            auth?: components["schemas"]["ConnectorAuthWrite"];
            /** @description Default false; covers the host and port of the endpoint and nothing else */
            allow_private_ips?: boolean;
            description?: string;
            icon_url?: string;
            repository_url?: string;
            support_url?: string;
            version?: string;
            source_name?: string;
            source_namespace?: string;
            /**
             * @description Default `manual`
             * @enum {string}
             */
            origin?: "manual" | "kubernetes_cluster" | "custom_registry" | "gatehouse_registry";
        };
        /** @description What happens while a dependency of the manager is down */
        DegradedMode: {
            /**
             * @description `warn`: go on and say so; `block_new`: start nothing new
             * @enum {string}
             */
            policy: "warn" | "block_new";
            /** @description How long the last known configuration is served after the database was last seen, for example `24h` */
            grace_period: string;
            /** @description What the person is told */
            message: string;
        };
        /** @description The directives of clients */
        EnterpriseConfig: {
            registry?: components["schemas"]["RegistryDirective"];
            /** @description Whether MCP servers from elsewhere may be run */
            non_registry_servers?: components["schemas"]["BooleanDirective"];
            telemetry?: components["schemas"]["TelemetryDirective"];
            ca_certificate?: components["schemas"]["CaCertificateDirective"];
            /** @description Environment variables of image builds. Everybody who signs in can read them: no secrets */
            build_env?: {
                [key: string]: string;
            };
            playground?: components["schemas"]["BooleanDirective"];
            help_menu?: components["schemas"]["BooleanDirective"];
            assistant?: components["schemas"]["BooleanDirective"];
            gateway?: components["schemas"]["GatewayDirective"];
            degraded_mode?: components["schemas"]["DegradedMode"];
        };
        /** @description What the person has set for a connector */
        EntitledConnection: {
            /** Format: uuid */
            connector_id: string;
            enabled: boolean;
            tools_enabled_by_default: boolean;
            tools_exception_list: string[];
        };
        /** @description A person at a gateway */
        Entitlements: {
            /** Format: uuid */
            user_id: string;
            issuer: string;
            /** @description Absent until a provisioned person signs in for the first time */
            subject?: string;
            active: boolean;
            /** @description Ids of all groups that hold the person, directly or through subgroups */
            groups: string[];
            connections: components["schemas"]["EntitledConnection"][];
            /** @description Changes with everything else in here */
            version: string;
        };
        /** @description A free JSON object beside a person or a group */
        EntityMetadata: {
            /** Format: uuid */
            entity_id: string;
            /** @enum {string} */
            entity_kind: "user" | "group";
            /** @description As it was put; the order of keys may differ */
            metadata: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @description Why a request failed */
        FailureBody: {
            /** @description One readable sentence */
            error: string;
        };
        /** @description The door to models */
        GatewayDirective: {
            value: components["schemas"]["GatewaySettings"];
            /**
             * @description `enforced`: the person cannot change it; `default`: it holds until the person chooses otherwise
             * @enum {string}
             */
            enforcement: "enforced" | "default";
        };
        GatewaySettings: {
            /**
             * Format: uri
             * @description The AI gateway
             */
            api_url?: string;
            /**
             * Format: uri
             * @description Proxy on the way to it
             */
            proxy_url?: string;
        };
        /** @description Connectors and policies of a gateway */
        GatewaySnapshot: {
            gateway_id: string;
            connectors: components["schemas"]["SnapshotConnector"][];
            /** @description One for each connector; a connector without one is closed to everybody */
            policies: components["schemas"]["SnapshotPolicy"][];
            /** @description Claims of tokens that policies may speak about, with their types */
            claim_mapping: {
                [key: string]: "String" | "Long" | "Bool" | "Set<String>";
            };
            /** @description By issuer: the claim that tells which provisioned person a token speaks of; issuers where that is the subject are left out */
            binding_claims: {
                [key: string]: string;
            };
            /** @description What this service takes from a gateway */
            limits: {
                /** @description Most tool-call records in one batch */
                batch_calls: number;
            };
        };
        /** @description A group of people and of other groups */
        Group: {
            /** Format: uuid */
            id: string;
            /** @description Derived from the display name: lower case, hyphens; unique */
            name: string;
            /** @description Unique, whatever its case or Unicode form */
            display_name: string;
            description: string;
            /**
             * @description Who owns the group; groups of a directory are changed there
             * @enum {string}
             */
            source: "local" | "scim";
            /** @description People in the group, directly or through its subgroups, each counted once */
            transitive_member_count: number;
            /** @description Direct members, only in the read of one group, 1,000 at most */
            members?: components["schemas"]["GroupMember"][];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @description A new group */
        GroupCreate: {
            /** @description Shown to people; no two groups share it, whatever its case or Unicode form */
            display_name: string;
            /** @description What the group is for */
            description?: string;
        };
        /** @description A direct member: a person or a group */
        GroupMember: {
            /** Format: uuid */
            id: string;
            display: string;
            /** @enum {string} */
            type: "User" | "Group";
        };
        /** @description Groups directly in the group, and people in it directly or through them */
        GroupMembers: {
            direct_child_groups: components["schemas"]["Group"][];
            transitive_users: components["schemas"]["User"][];
            next_groups_cursor?: string;
            prev_groups_cursor?: string;
            next_users_cursor?: string;
            prev_users_cursor?: string;
        };
        /** @description Groups in the order in which they were made */
        GroupPage: {
            items: components["schemas"]["Group"][];
            next_cursor?: string;
            prev_cursor?: string;
        };
        /** @description What to change; a field that is left out stays */
        GroupPatch: {
            /** @description Shown to people; no two groups share it, whatever its case or Unicode form */
            display_name?: string;
            /** @description What the group is for */
            description?: string;
        };
        /** @description A group of the directory */
        GroupRef: {
            id: string;
            name: string;
        };
        HeaderInjectionAuth: {
            header_name: string;
        };
        HeaderInjectionAuthWrite: {
            header_name: string;
            value?: components["schemas"]["SecretRef"];
        };
        /** @description State of the service */
        HealthBody: {
            [key: string]: string;
        };
        /**
         * @description JSON Web Key Set (RFC 7517)
         * @example {
         *       "keys": [
         *         {
         *           "kty": "EC",
         *           "crv": "P-256",
         *           "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
         *           "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
         *           "kid": "9f86d081884c7d65",
         *           "alg": "ES256",
         *           "use": "sig"
         *         }
         *       ]
         *     }
         */
        JWKS: {
            keys: {
                [key: string]: unknown;
            }[];
        };
        /** @description Keys that have changed */
        KeyChanges: {
            /** @description To be sent as `after` in the next question */
            version: number;
            /** @description Keys that were made, rotated, disabled, enabled or revoked, 1000 at most */
            keys: components["schemas"]["ChangedKey"][];
            /** @description Memberships have changed: what is kept about groups must be asked for again */
            groups_changed: boolean;
            /** @description `after` is of another database: everything that is kept must be asked for again */
            reset: boolean;
        };
        /**
         * @description A new key; it always belongs to the caller
         * @example {
         *       "name": "laptop",
         *       "metadata": {
         *         "team": "search"
         *       },
         *       "ttl_seconds": 7776000
         *     }
         */
        KeyCreate: {
            /** @description For people; need not be unique. Default is the prefix of the key */
            name?: string;
            /** @description Labels, 32 at most: names of up to 64 characters, values of up to 512 */
            metadata?: {
                [key: string]: string;
            };
            /** @description After how many seconds the key expires; 0, like none, means never. Ten years at most */
            ttl_seconds?: number;
        };
        /** @description Versions of the key-encryption key; never a key */
        KeyEncryptionStatus: {
            /** @description The version that seals; absent without a key */
            current_version?: number;
            versions: components["schemas"]["KeyEncryptionVersion"][];
            /** @description Whether this replica is bringing values under the current version */
            rewrapping: boolean;
        };
        KeyEncryptionVersion: {
            version: number;
            /**
             * @description `current` seals and opens; `opens` only opens; `missing` is not configured, though values need it; `refused` is configured as another key than before
             * @enum {string}
             */
            state: "current" | "opens" | "missing" | "refused";
            /** @description How many stored values it wraps; at 0 an older version can be taken away */
            values: number;
        };
        /** @description Keys, newest first: all that are not revoked, then the newest revoked ones */
        KeyList: {
            keys: components["schemas"]["VirtualKey"][];
        };
        /** @description The key that somebody presented */
        KeyResolve: {
            /** @description SHA-256 of the whole key as it was presented; the key itself never travels */
            secret_sha256: string;
        };
        /** @description A key with its new secret */
        KeyWithSecret: {
            key: components["schemas"]["VirtualKey"];
            /** @description The whole key, to be presented to the AI gateway. Shown in this answer and never again */
            secret: string;
        };
        /** @description A key of a Secret in the cluster */
        KubernetesSecretRef: {
            name: string;
            namespace: string;
            key: string;
        };
        /** @description A secret that connectors refer to; its value is never shown */
        ManagedSecret: {
            /** Format: uuid */
            id: string;
            /** @description Unique, whatever its case or Unicode form */
            name: string;
            /** @description Counts the values that the secret has had */
            version: number;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When the value was last written
             */
            updated_at: string;
        };
        /** @description A new secret */
        ManagedSecretCreate: {
            name: string;
            /** @description Kept encrypted and never shown; at most 64 KiB of UTF-8 */
            value: string;
        };
        /** @description Managed secrets in the order in which they were made */
        ManagedSecretPage: {
            items: components["schemas"]["ManagedSecret"][];
            next_cursor?: string;
            prev_cursor?: string;
        };
        /** @description The next value of a secret */
        ManagedSecretUpdate: {
            /** @description Kept encrypted and never shown; at most 64 KiB of UTF-8 */
            value: string;
        };
        /** @description Any JSON object: at most 64 KiB of text, 16 levels and 1,000 keys */
        MetadataDocument: {
            [key: string]: unknown;
        };
        OboAuth: {
            provider_id: string;
            client_id: string;
            tenant_id: string;
            audience?: string;
            authority?: string;
            scopes?: string[];
            cache_skew?: string;
        };
        OboAuthWrite: {
            /** Format: uuid */
            provider_id: string;
            client_id: string;
            tenant_id: string;
            audience?: string;
            authority?: string;
            scopes?: string[];
            cache_skew?: string;
            client_secret?: components["schemas"]["SecretRef"];
        };
        /** @description The caller’s own directory entry */
        OwnProfile: {
            /** @description Issuer of the token; with `subject` it tells who the caller is */
            issuer: string;
            subject: string;
            /** @description Whether the directory has an active entry for the caller */
            active: boolean;
            /** @description Groups that hold the caller, directly or through subgroups; empty without an active entry */
            groups: components["schemas"]["Group"][];
            /**
             * Format: uuid
             * @description Id of the directory entry; absent, like the names, for somebody who has none
             */
            id?: string;
            user_name?: string;
            display_name?: string;
            email?: string;
            /** @enum {string} */
            source?: "config" | "scim" | "sign_in";
        };
        /** @description Replaces the granted groups */
        PolicyGroupsWrite: {
            /** @description All groups that may use the connector */
            group_ids: string[];
        };
        /** @description OAuth 2.0 Protected Resource Metadata (RFC 9728) */
        ProtectedResourceMetadata: {
            /** @description This API; the audience of tokens for it is the deployment’s own */
            resource: string;
            /** @description Issuers whose access tokens are accepted */
            authorization_servers: string[];
            bearer_methods_supported: string[];
            jwks_uri: string;
            /**
             * @example [
             *       "openid",
             *       "profile",
             *       "email"
             *     ]
             */
            scopes_supported: string[];
            /** @description What people call this API */
            resource_name: string;
            /** @description Its reference */
            resource_documentation: string;
        };
        /** @description Where clients find MCP servers */
        RegistryDirective: {
            value: components["schemas"]["RegistrySettings"];
            /**
             * @description `enforced`: the person cannot change it; `default`: it holds until the person chooses otherwise
             * @enum {string}
             */
            enforcement: "enforced" | "default";
        };
        RegistrySettings: {
            /**
             * Format: uri
             * @description Registry of MCP servers
             */
            api_url?: string;
            /**
             * Format: uri
             * @description API of the registry server
             */
            server_api_url?: string;
            /** @description Whether its address may be a private one */
            allow_private_ip?: boolean;
        };
        /** @description A usable key and whom it speaks for */
        ResolvedKey: {
            key_id: string;
            owner: {
                issuer: string;
                subject: string;
                /** Format: uuid */
                user_id: string;
            };
            /** @description Ids of all groups that hold the owner, directly or through subgroups */
            groups: string[];
            /**
             * @description Anything else is 404
             * @constant
             */
            status: "active";
            /** Format: date-time */
            expires_at?: string;
            /** @description Grows with every change of the key */
            version: number;
            /** @description How long a gateway may go on with this answer */
            cache_seconds: number;
            /** @description How old the answer can be at most. It may be used until `cache_seconds` after it was asked for, less this */
            age_ms: number;
        };
        /** @description The value of a secret, for a gateway that sends it to an upstream */
        RevealedSecret: {
            value: string;
            /** @description As the snapshot names it */
            version: number;
        };
        /** @description Which AWS role a claim leads to */
        RoleMapping: {
            claim?: string;
            matcher?: string;
            priority?: number;
            role_arn?: string;
        };
        /** @description Why a SCIM request failed (RFC 7644 §3.12) */
        ScimFailure: {
            schemas: "urn:ietf:params:scim:api:messages:2.0:Error"[];
            /** @description The HTTP status as text */
            status: string;
            /** @enum {string} */
            scimType?: "invalidFilter" | "tooMany" | "uniqueness" | "mutability" | "invalidSyntax" | "invalidPath" | "noTarget" | "invalidValue" | "invalidVers" | "sensitive";
            /** @description One readable sentence */
            detail: string;
        };
        /** @description A group (RFC 7643 §4.2). Members that the directory does not know are left out. */
        ScimGroupInput: {
            displayName: string;
            externalId?: string;
            members?: Record<string, never>[];
        } & {
            [key: string]: unknown;
        };
        /** @description A page of SCIM resources (RFC 7644 §3.4.2) */
        ScimList: {
            schemas: string[];
            totalResults: number;
            startIndex: number;
            itemsPerPage: number;
            Resources: components["schemas"]["ScimResource"][];
        };
        /** @description Changes (RFC 7644 §3.5.2), also in the older shapes that large identity providers send */
        ScimPatch: {
            Operations: Record<string, never>[];
        } & {
            [key: string]: unknown;
        };
        /** @description A SCIM resource (RFC 7643 §3) */
        ScimResource: {
            schemas: string[];
        } & {
            [key: string]: unknown;
        };
        /** @description A search; `schemas` names the SearchRequest message */
        ScimSearchRequest: {
            filter?: string;
            sortBy?: string;
            /**
             * @description Whatever its case
             * @enum {string}
             */
            sortOrder?: "ascending" | "descending";
            startIndex?: number;
            count?: number;
            attributes?: string | string[];
            excludedAttributes?: string | string[];
        } & {
            [key: string]: unknown;
        };
        /** @description A static bearer token for SCIM, for one issuer */
        ScimToken: {
            /** Format: uuid */
            id: string;
            /** @description Issuer whose people and groups the token provisions */
            issuer_id: string;
            name: string;
            /** @enum {string} */
            state: "active" | "expired" | "revoked";
            /**
             * Format: uri
             * @description Address that the provisioning client is told
             */
            scim_url: string;
            /**
             * Format: date-time
             * @description Until when the secret before the last rotation works
             */
            previous_secret_valid_until?: string;
            /** Format: date-time */
            expires_at?: string;
            /** Format: date-time */
            revoked_at?: string;
            /**
             * Format: date-time
             * @description At most a minute behind
             */
            last_used_at?: string;
            created_by: {
                issuer: string;
                subject: string;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @description A new SCIM token */
        ScimTokenCreate: {
            /** @description `id` of a configured issuer */
            issuer_id: string;
            /** @description What the token is for, as people call it */
            name: string;
            /**
             * Format: date-time
             * @description Default: it does not expire
             */
            expires_at?: string;
        };
        /** @description SCIM tokens in the order in which they were made, revoked ones too */
        ScimTokenPage: {
            items: components["schemas"]["ScimToken"][];
            next_cursor?: string;
            prev_cursor?: string;
        };
        /** @description A SCIM token and its new secret */
        ScimTokenWithSecret: {
            /** Format: uuid */
            id: string;
            /** @description Issuer whose people and groups the token provisions */
            issuer_id: string;
            name: string;
            /** @enum {string} */
            state: "active" | "expired" | "revoked";
            /**
             * Format: uri
             * @description Address that the provisioning client is told
             */
            scim_url: string;
            /**
             * Format: date-time
             * @description Until when the secret before the last rotation works
             */
            previous_secret_valid_until?: string;
            /** Format: date-time */
            expires_at?: string;
            /** Format: date-time */
            revoked_at?: string;
            /**
             * Format: date-time
             * @description At most a minute behind
             */
            last_used_at?: string;
            created_by: {
                issuer: string;
                subject: string;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Shown this once: `ghscim_…` */
            secret: string;
        };
        /** @description A user (RFC 7643 §4.1). Attributes that are not known are ignored. */
        ScimUserInput: {
            userName: string;
            externalId?: string;
            displayName?: string;
            active?: boolean;
            name?: Record<string, never>;
            emails?: Record<string, never>[];
        } & {
            [key: string]: unknown;
        };
        /** @description Where a secret value lies: exactly one of these */
        SecretRef: {
            /** Format: uuid */
            managed_secret_id?: string;
            /** @description Instead of the id; the reference stays when another secret gets the name */
            managed_secret_name?: string;
            kubernetes_secret?: components["schemas"]["KubernetesSecretRef"];
        };
        /** @description A secret to be revealed; a new value is a new version */
        SecretVersion: {
            /** Format: uuid */
            id: string;
            version: number;
        };
        /** @description A key that signs configuration; never its private half */
        SigningKey: {
            /** @description Id of the key in the key set */
            kid: string;
            /**
             * @description `next` is shown and signs nothing yet, `current` signs, `previous` only verifies
             * @enum {string}
             */
            state: "next" | "current" | "previous";
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When it began to sign
             */
            activated_at?: string;
            /**
             * Format: date-time
             * @description When it stopped
             */
            retired_at?: string;
            /**
             * Format: date-time
             * @description When it leaves the key set
             */
            shown_until?: string;
        };
        /** @description The keys of the key set */
        SigningKeyList: {
            /** @description Next, current, then previous ones, newest first */
            keys: components["schemas"]["SigningKey"][];
        };
        /** @description An available connector */
        SnapshotConnector: {
            /** Format: uuid */
            id: string;
            slug: string;
            name: string;
            description?: string;
            endpoint: string;
            /** @enum {string} */
            transport: "streamable-http" | "sse";
            /** @description Never a secret value */
            auth: {
                type: string;
                header_injection?: {
                    header_name: string;
                };
                /** @description By their place in the authentication, for example `bearer_token.token` */
                secrets?: {
                    [key: string]: components["schemas"]["SecretVersion"];
                };
            };
            allow_private_ips: boolean;
        };
        /** @description Who may use a connector */
        SnapshotPolicy: {
            /** Format: uuid */
            connector_id: string;
            version: number;
            /** @description Cedar text */
            document: string;
        };
        /** @description Where clients report to */
        TelemetryDirective: {
            value: components["schemas"]["TelemetrySettings"];
            /**
             * @description `enforced`: the person cannot change it; `default`: it holds until the person chooses otherwise
             * @enum {string}
             */
            enforcement: "enforced" | "default";
        };
        TelemetrySettings: {
            /**
             * Format: uri
             * @description OpenTelemetry collector
             */
            otel_endpoint?: string;
            sampling_rate?: number;
            tracing_enabled?: boolean;
            metrics_enabled?: boolean;
            /** @description Whether the collector’s certificate is not checked */
            insecure?: boolean;
            /** @description Sent along with telemetry. Everybody who signs in can read them: no secrets */
            headers?: {
                [key: string]: string;
            };
        };
        TokenExchangeAuth: {
            token_url?: string;
            client_id?: string;
            audience?: string;
            scopes?: string[];
            /** Format: uuid */
            provider_id?: string;
            subject_token_type?: string;
            external_token_header_name?: string;
            client_secret_configured?: boolean;
        };
        TokenExchangeAuthWrite: {
            token_url?: string;
            client_id?: string;
            audience?: string;
            scopes?: string[];
            /** Format: uuid */
            provider_id?: string;
            subject_token_type?: string;
            external_token_header_name?: string;
            client_secret?: components["schemas"]["SecretRef"];
        };
        /** @description One call of a tool, allowed or denied */
        ToolCall: {
            /** Format: uuid */
            call_id: string;
            /** Format: date-time */
            occurred_at: string;
            gateway_id: string;
            environment: string;
            /**
             * Format: uuid
             * @description Absent where no connector matched what was asked for
             */
            connector_id?: string;
            connector_name?: string;
            /** @description The server’s own name; for a tool that was not offered, the name as it was asked for */
            tool_name: string;
            /** Format: uuid */
            user_id?: string;
            user_email?: string;
            groups: components["schemas"]["GroupRef"][];
            /** @enum {string} */
            decision: "allowed" | "denied" | "unspecified";
            /** @enum {string} */
            outcome: "ok" | "error" | "unspecified";
            /** @enum {string} */
            category: "invocation" | "allowed" | "denied" | "customer_retry" | "internal" | "health_check" | "admin" | "platform_retry" | "not_evaluated" | "support";
            billable: boolean;
            billable_reason?: string;
            definition_version?: string;
            duration_ms?: number;
            arguments_sha256?: string;
        };
        /** @description Tool calls, newest first */
        ToolCallActivity: {
            records: components["schemas"]["ToolCall"][];
            /** @description Leads to older records */
            next_cursor?: string;
            /** @description Leads to newer records */
            prev_cursor?: string;
        };
        /** @description Records of tool calls */
        ToolCallBatch: {
            /** @description An item that has not the form of a record is rejected alone */
            calls: components["schemas"]["ToolCallRecord"][];
        };
        ToolCallReceipt: {
            /** @enum {string} */
            status: "stored" | "duplicate" | "rejected";
            /** @description Why a record was rejected, or that a duplicate says something else than the stored one */
            error?: string;
        };
        /** @description One result for each record */
        ToolCallReceipts: {
            results: components["schemas"]["ToolCallReceipt"][];
        };
        /** @description A tool call as a gateway reports it */
        ToolCallRecord: {
            /**
             * Format: uuid
             * @description UUID v7 made by the gateway; a record is stored once, whatever the number of deliveries
             */
            call_id: string;
            /** Format: date-time */
            occurred_at: string;
            /** @description When given, the gateway of the path */
            gateway_id?: "" | string;
            /** @description Default is the environment of the enterprise manager */
            environment?: "" | string;
            connector_id?: "" | string;
            connector_name?: "" | string;
            tool_name: string;
            user_id?: "" | string;
            user_email?: "" | string;
            groups?: {
                id: string;
                name?: "" | string;
            }[];
            /** @enum {string} */
            decision: "allowed" | "denied" | "unspecified";
            /** @enum {string} */
            outcome: "ok" | "error" | "unspecified";
            /** @enum {string} */
            category: "invocation" | "allowed" | "denied" | "customer_retry" | "internal" | "health_check" | "admin" | "platform_retry" | "not_evaluated" | "support";
            billable: boolean;
            billable_reason?: "" | string;
            definition_version?: "" | string;
            duration_ms?: number;
            arguments_sha256?: "" | string;
        };
        UpstreamInjectAuth: {
            provider_id: string;
        };
        UpstreamInjectAuthWrite: {
            /** Format: uuid */
            provider_id: string;
        };
        /** @description A person of the directory */
        User: {
            /** Format: uuid */
            id: string;
            /** @description Unique among the people of one issuer */
            user_name: string;
            display_name: string;
            email?: string;
            photo_url?: string;
            /**
             * @description Where the entry comes from: the configuration, a provisioning directory, or the first sign-in
             * @enum {string}
             */
            source: "config" | "scim" | "sign_in";
            /** @description Whether the person may use anything */
            active: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @description People in the order in which they came */
        UserPage: {
            items: components["schemas"]["User"][];
            next_cursor?: string;
            prev_cursor?: string;
        };
        /** @description A virtual API key */
        VirtualKey: {
            /** @description Short id; the public part of the key itself */
            id: string;
            name: string;
            /** @description How the key begins: `gh_<id>` */
            prefix: string;
            /**
             * @description Revoked is for ever. A key whose `expires_at` has passed opens nothing, whatever its status
             * @enum {string}
             */
            status: "active" | "disabled" | "revoked";
            /** @description Who keeps a disabled key disabled: each lets go of its own only; `deactivation` ends when the owner’s directory entry is active again */
            disabled_by?: ("owner" | "administrator" | "deactivation")[];
            /** @description The owner: the subject, for further issuers `<issuer id>/<subject>`, as in budgets and charges */
            owner_ref: string;
            /** @description Who made the key, written like `owner_ref` */
            created_by: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description Absent for a key that does not expire
             */
            expires_at?: string;
            /**
             * Format: date-time
             * @description Last time that a gateway resolved the key; written at most once a minute
             */
            last_used_at?: string;
            /**
             * Format: date-time
             * @description After a rotation: until when the secret before it works
             */
            previous_secret_valid_until?: string;
            metadata: {
                [key: string]: string;
            };
        };
        XaaAuth: {
            provider_id: string;
            idp_client_id?: string;
            idp_token_url?: string;
            insecure_target_token_url?: boolean;
            scopes?: string[];
            subject_token_type?: string;
            target_audience?: string;
            target_client_id?: string;
            target_resource?: string;
            target_token_url?: string;
        };
        XaaAuthWrite: {
            /** Format: uuid */
            provider_id: string;
            idp_client_id?: string;
            idp_token_url?: string;
            insecure_target_token_url?: boolean;
            scopes?: string[];
            subject_token_type?: string;
            target_audience?: string;
            target_client_id?: string;
            target_resource?: string;
            target_token_url?: string;
            idp_client_secret?: components["schemas"]["SecretRef"];
            target_client_secret?: components["schemas"]["SecretRef"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    DiscoveryDocuments_clientBootstrap: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "issuer": "https://id.example.com",
                     *       "client_id": "gatehouse-cli",
                     *       "scopes_supported": [
                     *         "openid",
                     *         "profile",
                     *         "email"
                     *       ],
                     *       "config_endpoint": "https://gatehouse.example.com/api/v1beta/config",
                     *       "jwks_uri": "https://gatehouse.example.com/.well-known/jwks.json",
                     *       "oauth_protected_resource": "https://gatehouse.example.com/.well-known/oauth-protected-resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ClientBootstrapDiscovery"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "body: must be an object"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    DiscoveryDocuments_jwks: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "kty": "EC",
                     *           "crv": "P-256",
                     *           "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
                     *           "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
                     *           "kid": "9f86d081884c7d65",
                     *           "alg": "ES256",
                     *           "use": "sig"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["JWKS"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "body: must be an object"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    DiscoveryDocuments_protectedResource: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "resource": "https://gatehouse.example.com",
                     *       "authorization_servers": [
                     *         "https://id.example.com"
                     *       ],
                     *       "bearer_methods_supported": [
                     *         "header"
                     *       ],
                     *       "jwks_uri": "https://gatehouse.example.com/.well-known/jwks.json",
                     *       "scopes_supported": [
                     *         "openid",
                     *         "profile",
                     *         "email"
                     *       ],
                     *       "resource_name": "text",
                     *       "resource_documentation": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["ProtectedResourceMetadata"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "body: must be an object"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no resource with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    DiscoveryDocuments_protectedResourceAt: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example gatehouse */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "resource": "https://gatehouse.example.com",
                     *       "authorization_servers": [
                     *         "https://id.example.com"
                     *       ],
                     *       "bearer_methods_supported": [
                     *         "header"
                     *       ],
                     *       "jwks_uri": "https://gatehouse.example.com/.well-known/jwks.json",
                     *       "scopes_supported": [
                     *         "openid",
                     *         "profile",
                     *         "email"
                     *       ],
                     *       "resource_name": "text",
                     *       "resource_documentation": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["ProtectedResourceMetadata"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "path: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "no protected resource of this deployment has this path"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    ConfigEnvelope_get: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Type of the client; the envelope is made for it alone
                 * @example gatehouse-desktop
                 */
                "X-Client-Type": "gatehouse-desktop" | "gatehouse-cli" | "gatehouse-cloud-ui";
                /**
                 * @description Version of the client, semantic versioning
                 * @example 1.4.0
                 */
                "X-Client-Version": string;
                /** @description ETag that the client has; 304 when it is still the state */
                "If-None-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schema_version": "text",
                     *       "config": {
                     *         "registry": {
                     *           "value": {
                     *             "api_url": "https://example.com/path",
                     *             "server_api_url": "https://example.com/path",
                     *             "allow_private_ip": true
                     *           },
                     *           "enforcement": "enforced"
                     *         },
                     *         "non_registry_servers": {
                     *           "value": true,
                     *           "enforcement": "enforced"
                     *         },
                     *         "telemetry": {
                     *           "value": {
                     *             "otel_endpoint": "https://example.com/path",
                     *             "sampling_rate": 1,
                     *             "tracing_enabled": true,
                     *             "metrics_enabled": true,
                     *             "insecure": true,
                     *             "headers": {
                     *               "example": "text"
                     *             }
                     *           },
                     *           "enforcement": "enforced"
                     *         },
                     *         "ca_certificate": {
                     *           "value": {
                     *             "pem": "text",
                     *             "url": "https://example.com/path"
                     *           },
                     *           "enforcement": "enforced"
                     *         },
                     *         "build_env": {
                     *           "example": "text"
                     *         },
                     *         "playground": {
                     *           "value": true,
                     *           "enforcement": "enforced"
                     *         },
                     *         "help_menu": {
                     *           "value": true,
                     *           "enforcement": "enforced"
                     *         },
                     *         "assistant": {
                     *           "value": true,
                     *           "enforcement": "enforced"
                     *         },
                     *         "gateway": {
                     *           "value": {
                     *             "api_url": "https://example.com/path",
                     *             "proxy_url": "https://example.com/path"
                     *           },
                     *           "enforcement": "enforced"
                     *         },
                     *         "degraded_mode": {
                     *           "policy": "warn",
                     *           "grace_period": "text",
                     *           "message": "must have at least 1 character"
                     *         }
                     *       },
                     *       "degraded_mode": {
                     *         "policy": "warn",
                     *         "grace_period": "text",
                     *         "message": "must have at least 1 character"
                     *       },
                     *       "issued_at": "2026-03-02T09:30:00Z",
                     *       "not_after": "2026-03-02T09:30:00Z",
                     *       "refresh_interval": "text",
                     *       "etag": "\"3q2-7wQJ\"",
                     *       "signature": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["ConfigEnvelope"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "body: must be an object"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    GatewayCalls_setConnection: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example local */
                gateway_id: string;
                /** @example 0197a3c2-04f8-7996-ada7-63b7a969b102 */
                user_id: string;
                /** @example 0197a3c2-c08c-76ac-afff-81cafe379f88 */
                connector_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": true
                 *     }
                 */
                "application/json": components["schemas"]["ConnectionEnabledWrite"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0197a3c2-b38d-79d1-a68c-3aedf156f4f2",
                     *       "gateway_id": "local",
                     *       "connector_id": "0197a3c2-c08c-76ac-afff-81cafe379f88",
                     *       "user_id": "0197a3c2-04f8-7996-ada7-63b7a969b102",
                     *       "enabled": true,
                     *       "tools_enabled_by_default": true,
                     *       "tools_exception_list": [
                     *         "delete_repository"
                     *       ],
                     *       "created_at": "2026-03-02T09:30:00Z",
                     *       "updated_at": "2026-03-04T16:05:12Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Connection"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "enabled: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no connection with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The body is larger than the operation takes (1 MiB; batches 8 MiB). */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "body: is larger than this operation takes"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The body is not of a content type that the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Content-Type: must be application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    GatewayCalls_clearConnection: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example local */
                gateway_id: string;
                /** @example 0197a3c2-04f8-7996-ada7-63b7a969b102 */
                user_id: string;
                /** @example 0197a3c2-c08c-76ac-afff-81cafe379f88 */
                connector_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "gateway_id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no connection with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    GatewayCalls_ofPerson: {
        parameters: {
            query: {
                /** @example https://id.example.com */
                issuer: string;
                /** @example 00u1f4c2k7 */
                subject: string;
                /** @description What the verified token says in the issuer’s claim of `binding_claims`; a provisioned person to whom nobody has signed in yet is then this subject from now on */
                binding?: string;
            };
            header?: {
                /** @description ETag that the client has; 304 when it is still the state */
                "If-None-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example local */
                gateway_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user_id": "0197a3c2-04f8-7996-ada7-63b7a969b102",
                     *       "issuer": "https://id.example.com",
                     *       "subject": "00u1f4c2k7",
                     *       "active": true,
                     *       "groups": [
                     *         "text"
                     *       ],
                     *       "connections": [
                     *         {
                     *           "connector_id": "0197a3c2-c08c-76ac-afff-81cafe379f88",
                     *           "enabled": true,
                     *           "tools_enabled_by_default": true,
                     *           "tools_exception_list": [
                     *             "delete_repository"
                     *           ]
                     *         }
                     *       ],
                     *       "version": "1.4.0"
                     *     }
                     */
                    "application/json": components["schemas"]["Entitlements"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "issuer: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no entitlement with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    GatewayCalls_ofUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag that the client has; 304 when it is still the state */
                "If-None-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example local */
                gateway_id: string;
                /** @example 0197a3c2-04f8-7996-ada7-63b7a969b102 */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user_id": "0197a3c2-04f8-7996-ada7-63b7a969b102",
                     *       "issuer": "https://id.example.com",
                     *       "subject": "00u1f4c2k7",
                     *       "active": true,
                     *       "groups": [
                     *         "text"
                     *       ],
                     *       "connections": [
                     *         {
                     *           "connector_id": "0197a3c2-c08c-76ac-afff-81cafe379f88",
                     *           "enabled": true,
                     *           "tools_enabled_by_default": true,
                     *           "tools_exception_list": [
                     *             "delete_repository"
                     *           ]
                     *         }
                     *       ],
                     *       "version": "1.4.0"
                     *     }
                     */
                    "application/json": components["schemas"]["Entitlements"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "gateway_id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no entitlement with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Reveal_reveal: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example local */
                gateway_id: string;
                /** @example 0197a3c2-2bb8-70d5-a37b-1da3e38bd303 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Cache-Control */
                    "Cache-Control"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "value": "ghp_example_value",
                     *       "version": 3
                     *     }
                     */
                    "application/json": components["schemas"]["RevealedSecret"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "gateway_id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no reveal with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    GatewayCalls_snapshot: {
        parameters: {
            query?: {
                /** @description With If-None-Match: how many seconds to wait for a change before the answer is 304; at most 30 */
                wait?: number;
            };
            header?: {
                /** @description ETag that the client has; 304 when it is still the state */
                "If-None-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example local */
                gateway_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "gateway_id": "local",
                     *       "connectors": [
                     *         {
                     *           "id": "0197a3c2-c08c-76ac-afff-81cafe379f88",
                     *           "slug": "github",
                     *           "name": "GitHub",
                     *           "description": "Issues, pull requests and code of our organisation",
                     *           "endpoint": "https://mcp.example.com/mcp",
                     *           "transport": "streamable-http",
                     *           "auth": {
                     *             "type": "User",
                     *             "header_injection": {
                     *               "header_name": "X-Api-Key"
                     *             },
                     *             "secrets": {
                     *               "example": {
                     *                 "id": "0197a3c2-5ca4-7f38-a50c-cc331aaf8a25",
                     *                 "version": 3
                     *               }
                     *             }
                     *           },
                     *           "allow_private_ips": true
                     *         }
                     *       ],
                     *       "policies": [
                     *         {
                     *           "connector_id": "0197a3c2-c08c-76ac-afff-81cafe379f88",
                     *           "version": 3,
                     *           "document": "permit (principal in Gatehouse::Group::\"data-platform\", action, resource);"
                     *         }
                     *       ],
                     *       "claim_mapping": {
                     *         "example": "String"
                     *       },
                     *       "binding_claims": {
                     *         "example": "text"
                     *       },
                     *       "limits": {
                     *         "batch_calls": 3
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["GatewaySnapshot"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "wait: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no snapshot with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    GatewayCalls_report: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example local */
                gateway_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "calls": [
                 *         {
                 *           "call_id": "0197a3c2-7edb-7360-af06-acaef2cc80db",
                 *           "occurred_at": "2026-03-04T16:05:12Z",
                 *           "gateway_id": "",
                 *           "environment": "",
                 *           "connector_id": "",
                 *           "connector_name": "",
                 *           "tool_name": "create_issue",
                 *           "user_id": "",
                 *           "user_email": "",
                 *           "decision": "allowed",
                 *           "outcome": "ok",
                 *           "category": "invocation",
                 *           "billable": true,
                 *           "billable_reason": "",
                 *           "definition_version": "",
                 *           "duration_ms": 184,
                 *           "arguments_sha256": ""
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ToolCallBatch"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "status": "stored"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ToolCallReceipts"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "calls: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no call with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The body is larger than the operation takes (1 MiB; batches 8 MiB). */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "body: is larger than this operation takes"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The body is not of a content type that the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Content-Type: must be application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    KeyCalls_changes: {
        parameters: {
            query?: {
                /** @description The `version` of the last answer; without it the present one is answered at once */
                after?: number;
                /** @description How many seconds to wait for a change; at most 30 */
                wait?: number;
            };
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version": 3,
                     *       "keys": [
                     *         {
                     *           "key_id": "k7m2p4qx",
                     *           "version": 3
                     *         }
                     *       ],
                     *       "groups_changed": true,
                     *       "reset": true
                     *     }
                     */
                    "application/json": components["schemas"]["KeyChanges"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "after: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    KeyCalls_resolve: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "secret_sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                 *     }
                 */
                "application/json": components["schemas"]["KeyResolve"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key_id": "k7m2p4qx",
                     *       "owner": {
                     *         "issuer": "https://id.example.com",
                     *         "subject": "00u1f4c2k7",
                     *         "user_id": "0197a3c2-04f8-7996-ada7-63b7a969b102"
                     *       },
                     *       "groups": [
                     *         "text"
                     *       ],
                     *       "status": "active",
                     *       "expires_at": "2026-09-01T00:00:00Z",
                     *       "version": 3,
                     *       "cache_seconds": 60,
                     *       "age_ms": 250
                     *     }
                     */
                    "application/json": components["schemas"]["ResolvedKey"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "secret_sha256: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no resolve with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The body is larger than the operation takes (1 MiB; batches 8 MiB). */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "body: is larger than this operation takes"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The body is not of a content type that the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Content-Type: must be application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    health_check: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": components["schemas"]["HealthBody"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "body: must be an object"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    readiness_check: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ready"
                     *     }
                     */
                    "application/json": components["schemas"]["HealthBody"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "body: must be an object"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not ready: database"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    ScimRefused_search: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example corporate */
                issuer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Not Implemented */
            501: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
        };
    };
    ScimRefused_bulk: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example corporate */
                issuer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Not Implemented */
            501: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
        };
    };
    ScimGroups_list: {
        parameters: {
            query?: {
                /** @description For example `userName eq "alice"` */
                filter?: string;
                sortBy?: string;
                /** @description Whatever its case */
                sortOrder?: "ascending" | "descending";
                /** @description First resource, from 1 */
                startIndex?: number;
                /** @description Resources on the page; more than 200 count as 200, 0 asks for the total alone */
                count?: number;
                /** @description Only these attributes, by commas (RFC 7644 §3.9) */
                attributes?: string;
                /** @description Not these attributes; not together with `attributes` */
                excludedAttributes?: string;
            };
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /**
                 * @description `id` of a configured issuer
                 * @example corporate
                 */
                issuer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "text"
                     *       ],
                     *       "totalResults": 1,
                     *       "startIndex": 1,
                     *       "itemsPerPage": 1,
                     *       "Resources": [
                     *         {
                     *           "schemas": [
                     *             "text"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimList"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
        };
    };
    ScimGroups_create: {
        parameters: {
            query?: {
                /** @description Only these attributes, by commas (RFC 7644 §3.9) */
                attributes?: string;
                /** @description Not these attributes; not together with `attributes` */
                excludedAttributes?: string;
            };
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /**
                 * @description `id` of a configured issuer
                 * @example corporate
                 */
                issuer_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "displayName": "Alice Moreau",
                 *       "externalId": "7c9e6679",
                 *       "members": [
                 *         {}
                 *       ]
                 *     }
                 */
                "application/scim+json": components["schemas"]["ScimGroupInput"];
                /**
                 * @example {
                 *       "displayName": "Alice Moreau",
                 *       "externalId": "7c9e6679",
                 *       "members": [
                 *         {}
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ScimGroupInput"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description Where the created object is */
                    Location?: string;
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "text"
                     *       ]
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimResource"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description The state of the object, or of one that is tied to it, does not allow the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description The body is larger than the operation takes (1 MiB; batches 8 MiB). */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description The body is not of a content type that the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
        };
    };
    ScimGroups_search: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /**
                 * @description `id` of a configured issuer
                 * @example corporate
                 */
                issuer_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "filter": "userName eq \"alice@example.com\"",
                 *       "sortBy": "userName",
                 *       "sortOrder": "ascending",
                 *       "startIndex": 1,
                 *       "count": 1,
                 *       "attributes": "userName",
                 *       "excludedAttributes": "members"
                 *     }
                 */
                "application/scim+json": components["schemas"]["ScimSearchRequest"];
                /**
                 * @example {
                 *       "filter": "userName eq \"alice@example.com\"",
                 *       "sortBy": "userName",
                 *       "sortOrder": "ascending",
                 *       "startIndex": 1,
                 *       "count": 1,
                 *       "attributes": "userName",
                 *       "excludedAttributes": "members"
                 *     }
                 */
                "application/json": components["schemas"]["ScimSearchRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "text"
                     *       ],
                     *       "totalResults": 1,
                     *       "startIndex": 1,
                     *       "itemsPerPage": 1,
                     *       "Resources": [
                     *         {
                     *           "schemas": [
                     *             "text"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimList"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description The body is larger than the operation takes (1 MiB; batches 8 MiB). */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description The body is not of a content type that the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
        };
    };
    ScimGroups_get: {
        parameters: {
            query?: {
                /** @description Only these attributes, by commas (RFC 7644 §3.9) */
                attributes?: string;
                /** @description Not these attributes; not together with `attributes` */
                excludedAttributes?: string;
            };
            header?: {
                /** @description ETag that the client has; 304 when it is still the state */
                "If-None-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /**
                 * @description `id` of a configured issuer
                 * @example corporate
                 */
                issuer_id: string;
                /** @example 0197a3c2-ad93-76fc-abed-631fa67e05c3 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "text"
                     *       ]
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimResource"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
        };
    };
    ScimGroups_replace: {
        parameters: {
            query?: {
                /** @description Only these attributes, by commas (RFC 7644 §3.9) */
                attributes?: string;
                /** @description Not these attributes; not together with `attributes` */
                excludedAttributes?: string;
            };
            header?: {
                /** @description ETag of the state that the change is meant for */
                "If-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /**
                 * @description `id` of a configured issuer
                 * @example corporate
                 */
                issuer_id: string;
                /** @example 0197a3c2-ad93-76fc-abed-631fa67e05c3 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "displayName": "Alice Moreau",
                 *       "externalId": "7c9e6679",
                 *       "members": [
                 *         {}
                 *       ]
                 *     }
                 */
                "application/scim+json": components["schemas"]["ScimGroupInput"];
                /**
                 * @example {
                 *       "displayName": "Alice Moreau",
                 *       "externalId": "7c9e6679",
                 *       "members": [
                 *         {}
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ScimGroupInput"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "text"
                     *       ]
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimResource"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description The state of the object, or of one that is tied to it, does not allow the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description `If-Match` names a state that is no longer the current one: somebody was faster. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description The body is larger than the operation takes (1 MiB; batches 8 MiB). */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description The body is not of a content type that the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
        };
    };
    ScimGroups_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the state that the change is meant for */
                "If-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /**
                 * @description `id` of a configured issuer
                 * @example corporate
                 */
                issuer_id: string;
                /** @example 0197a3c2-ad93-76fc-abed-631fa67e05c3 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description `If-Match` names a state that is no longer the current one: somebody was faster. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
        };
    };
    ScimGroups_patch: {
        parameters: {
            query?: {
                /** @description Only these attributes, by commas (RFC 7644 §3.9) */
                attributes?: string;
                /** @description Not these attributes; not together with `attributes` */
                excludedAttributes?: string;
            };
            header?: {
                /** @description ETag of the state that the change is meant for */
                "If-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /**
                 * @description `id` of a configured issuer
                 * @example corporate
                 */
                issuer_id: string;
                /** @example 0197a3c2-ad93-76fc-abed-631fa67e05c3 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "Operations": [
                 *         {}
                 *       ]
                 *     }
                 */
                "application/scim+json": components["schemas"]["ScimPatch"];
                /**
                 * @example {
                 *       "Operations": [
                 *         {}
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ScimPatch"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "text"
                     *       ]
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimResource"];
                };
            };
            /** @description No Content */
            204: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description The state of the object, or of one that is tied to it, does not allow the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description `If-Match` names a state that is no longer the current one: somebody was faster. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description The body is larger than the operation takes (1 MiB; batches 8 MiB). */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description The body is not of a content type that the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
        };
    };
    ScimRefused_getMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example corporate */
                issuer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Not Implemented */
            501: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
        };
    };
    ScimRefused_replaceMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example corporate */
                issuer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Not Implemented */
            501: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
        };
    };
    ScimRefused_createMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example corporate */
                issuer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Not Implemented */
            501: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
        };
    };
    ScimRefused_deleteMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example corporate */
                issuer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Not Implemented */
            501: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
        };
    };
    ScimRefused_patchMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example corporate */
                issuer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Not Implemented */
            501: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
        };
    };
    ScimDiscovery_resourceTypes: {
        parameters: {
            query?: {
                /** @description Refused with 403 */
                filter?: string;
            };
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /**
                 * @description `id` of a configured issuer
                 * @example corporate
                 */
                issuer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "text"
                     *       ],
                     *       "totalResults": 1,
                     *       "startIndex": 1,
                     *       "itemsPerPage": 1,
                     *       "Resources": [
                     *         {
                     *           "schemas": [
                     *             "text"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimList"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
        };
    };
    ScimDiscovery_resourceType: {
        parameters: {
            query?: {
                /** @description Refused with 403 */
                filter?: string;
            };
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /**
                 * @description `id` of a configured issuer
                 * @example corporate
                 */
                issuer_id: string;
                /** @example 0197a3c2-d26d-7668-a069-51890c0d71a4 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "text"
                     *       ]
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimResource"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
        };
    };
    ScimDiscovery_schemas: {
        parameters: {
            query?: {
                /** @description Refused with 403 */
                filter?: string;
            };
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /**
                 * @description `id` of a configured issuer
                 * @example corporate
                 */
                issuer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "text"
                     *       ],
                     *       "totalResults": 1,
                     *       "startIndex": 1,
                     *       "itemsPerPage": 1,
                     *       "Resources": [
                     *         {
                     *           "schemas": [
                     *             "text"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimList"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
        };
    };
    ScimDiscovery_schema: {
        parameters: {
            query?: {
                /** @description Refused with 403 */
                filter?: string;
            };
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /**
                 * @description `id` of a configured issuer
                 * @example corporate
                 */
                issuer_id: string;
                /** @example 0197a3c2-df0a-7d6e-a438-80f09c90ebf9 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "text"
                     *       ]
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimResource"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
        };
    };
    ScimDiscovery_configuration: {
        parameters: {
            query?: {
                /** @description Refused with 403 */
                filter?: string;
            };
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /**
                 * @description `id` of a configured issuer
                 * @example corporate
                 */
                issuer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "text"
                     *       ]
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimResource"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
        };
    };
    ScimUsers_list: {
        parameters: {
            query?: {
                /** @description For example `userName eq "alice"` */
                filter?: string;
                sortBy?: string;
                /** @description Whatever its case */
                sortOrder?: "ascending" | "descending";
                /** @description First resource, from 1 */
                startIndex?: number;
                /** @description Resources on the page; more than 200 count as 200, 0 asks for the total alone */
                count?: number;
                /** @description Only these attributes, by commas (RFC 7644 §3.9) */
                attributes?: string;
                /** @description Not these attributes; not together with `attributes` */
                excludedAttributes?: string;
            };
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /**
                 * @description `id` of a configured issuer
                 * @example corporate
                 */
                issuer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "text"
                     *       ],
                     *       "totalResults": 1,
                     *       "startIndex": 1,
                     *       "itemsPerPage": 1,
                     *       "Resources": [
                     *         {
                     *           "schemas": [
                     *             "text"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimList"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
        };
    };
    ScimUsers_create: {
        parameters: {
            query?: {
                /** @description Only these attributes, by commas (RFC 7644 §3.9) */
                attributes?: string;
                /** @description Not these attributes; not together with `attributes` */
                excludedAttributes?: string;
            };
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /**
                 * @description `id` of a configured issuer
                 * @example corporate
                 */
                issuer_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "userName": "alice",
                 *       "externalId": "7c9e6679",
                 *       "displayName": "Alice Moreau",
                 *       "active": true,
                 *       "name": {},
                 *       "emails": [
                 *         {}
                 *       ]
                 *     }
                 */
                "application/scim+json": components["schemas"]["ScimUserInput"];
                /**
                 * @example {
                 *       "userName": "alice",
                 *       "externalId": "7c9e6679",
                 *       "displayName": "Alice Moreau",
                 *       "active": true,
                 *       "name": {},
                 *       "emails": [
                 *         {}
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ScimUserInput"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description Where the created object is */
                    Location?: string;
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "text"
                     *       ]
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimResource"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description The state of the object, or of one that is tied to it, does not allow the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description The body is larger than the operation takes (1 MiB; batches 8 MiB). */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description The body is not of a content type that the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
        };
    };
    ScimUsers_search: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /**
                 * @description `id` of a configured issuer
                 * @example corporate
                 */
                issuer_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "filter": "userName eq \"alice@example.com\"",
                 *       "sortBy": "userName",
                 *       "sortOrder": "ascending",
                 *       "startIndex": 1,
                 *       "count": 1,
                 *       "attributes": "userName",
                 *       "excludedAttributes": "members"
                 *     }
                 */
                "application/scim+json": components["schemas"]["ScimSearchRequest"];
                /**
                 * @example {
                 *       "filter": "userName eq \"alice@example.com\"",
                 *       "sortBy": "userName",
                 *       "sortOrder": "ascending",
                 *       "startIndex": 1,
                 *       "count": 1,
                 *       "attributes": "userName",
                 *       "excludedAttributes": "members"
                 *     }
                 */
                "application/json": components["schemas"]["ScimSearchRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "text"
                     *       ],
                     *       "totalResults": 1,
                     *       "startIndex": 1,
                     *       "itemsPerPage": 1,
                     *       "Resources": [
                     *         {
                     *           "schemas": [
                     *             "text"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimList"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description The body is larger than the operation takes (1 MiB; batches 8 MiB). */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description The body is not of a content type that the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
        };
    };
    ScimUsers_get: {
        parameters: {
            query?: {
                /** @description Only these attributes, by commas (RFC 7644 §3.9) */
                attributes?: string;
                /** @description Not these attributes; not together with `attributes` */
                excludedAttributes?: string;
            };
            header?: {
                /** @description ETag that the client has; 304 when it is still the state */
                "If-None-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /**
                 * @description `id` of a configured issuer
                 * @example corporate
                 */
                issuer_id: string;
                /** @example 0197a3c2-04f8-7996-ada7-63b7a969b102 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "text"
                     *       ]
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimResource"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
        };
    };
    ScimUsers_replace: {
        parameters: {
            query?: {
                /** @description Only these attributes, by commas (RFC 7644 §3.9) */
                attributes?: string;
                /** @description Not these attributes; not together with `attributes` */
                excludedAttributes?: string;
            };
            header?: {
                /** @description ETag of the state that the change is meant for */
                "If-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /**
                 * @description `id` of a configured issuer
                 * @example corporate
                 */
                issuer_id: string;
                /** @example 0197a3c2-04f8-7996-ada7-63b7a969b102 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "userName": "alice",
                 *       "externalId": "7c9e6679",
                 *       "displayName": "Alice Moreau",
                 *       "active": true,
                 *       "name": {},
                 *       "emails": [
                 *         {}
                 *       ]
                 *     }
                 */
                "application/scim+json": components["schemas"]["ScimUserInput"];
                /**
                 * @example {
                 *       "userName": "alice",
                 *       "externalId": "7c9e6679",
                 *       "displayName": "Alice Moreau",
                 *       "active": true,
                 *       "name": {},
                 *       "emails": [
                 *         {}
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ScimUserInput"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "text"
                     *       ]
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimResource"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description The state of the object, or of one that is tied to it, does not allow the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description `If-Match` names a state that is no longer the current one: somebody was faster. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description The body is larger than the operation takes (1 MiB; batches 8 MiB). */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description The body is not of a content type that the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
        };
    };
    ScimUsers_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the state that the change is meant for */
                "If-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /**
                 * @description `id` of a configured issuer
                 * @example corporate
                 */
                issuer_id: string;
                /** @example 0197a3c2-04f8-7996-ada7-63b7a969b102 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description `If-Match` names a state that is no longer the current one: somebody was faster. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
        };
    };
    ScimUsers_patch: {
        parameters: {
            query?: {
                /** @description Only these attributes, by commas (RFC 7644 §3.9) */
                attributes?: string;
                /** @description Not these attributes; not together with `attributes` */
                excludedAttributes?: string;
            };
            header?: {
                /** @description ETag of the state that the change is meant for */
                "If-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /**
                 * @description `id` of a configured issuer
                 * @example corporate
                 */
                issuer_id: string;
                /** @example 0197a3c2-04f8-7996-ada7-63b7a969b102 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "Operations": [
                 *         {}
                 *       ]
                 *     }
                 */
                "application/scim+json": components["schemas"]["ScimPatch"];
                /**
                 * @example {
                 *       "Operations": [
                 *         {}
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ScimPatch"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "text"
                     *       ]
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimResource"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description The state of the object, or of one that is tied to it, does not allow the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description `If-Match` names a state that is no longer the current one: somebody was faster. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description The body is larger than the operation takes (1 MiB; batches 8 MiB). */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description The body is not of a content type that the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         "urn:ietf:params:scim:api:messages:2.0:Error"
                     *       ],
                     *       "status": "ok",
                     *       "scimType": "invalidFilter",
                     *       "detail": "text"
                     *     }
                     */
                    "application/scim+json": components["schemas"]["ScimFailure"];
                };
            };
        };
    };
    Audit_list: {
        parameters: {
            query?: {
                operation?: string;
                issuer?: string;
                subject?: string;
                object_kind?: string;
                object_id?: string;
                outcome?: "succeeded" | "forbidden";
                request_id?: string;
                /** @description Earliest time, inclusive */
                from?: string;
                /** @description Latest time, exclusive */
                to?: string;
                /** @description Cursor of the next page, from `next_cursor` */
                cursor?: string;
                /** @description Cursor of the previous page, from `prev_cursor`; not together with `cursor` */
                before?: string;
                /** @description Entries on a page; larger values count as the maximum */
                limit?: number;
            };
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0197a3c2-b8e1-7f80-abd7-0ae0784c7855",
                     *           "occurred_at": "2026-03-04T16:05:12Z",
                     *           "request_id": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *           "issuer": "https://id.example.com",
                     *           "subject": "00u1f4c2k7",
                     *           "operation": "Create group",
                     *           "object_kind": "group",
                     *           "object_id": "0197a3c2-2958-7d41-a6d0-8aa5a472d7b5",
                     *           "outcome": "succeeded",
                     *           "changed_fields": [
                     *             "display_name"
                     *           ],
                     *           "occurrences": 3
                     *         }
                     *       ],
                     *       "next_cursor": "eyJwIjpbIjIwMjYtMDMtMDIiXX0.c2lnbmVk"
                     *     }
                     */
                    "application/json": components["schemas"]["AuditEventPage"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "limit: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    ClientConfig_get: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag that the client has; 304 when it is still the state */
                "If-None-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "config": {
                     *         "registry": {
                     *           "value": {
                     *             "api_url": "https://example.com/path",
                     *             "server_api_url": "https://example.com/path",
                     *             "allow_private_ip": true
                     *           },
                     *           "enforcement": "enforced"
                     *         },
                     *         "non_registry_servers": {
                     *           "value": true,
                     *           "enforcement": "enforced"
                     *         },
                     *         "telemetry": {
                     *           "value": {
                     *             "otel_endpoint": "https://example.com/path",
                     *             "sampling_rate": 1,
                     *             "tracing_enabled": true,
                     *             "metrics_enabled": true,
                     *             "insecure": true,
                     *             "headers": {
                     *               "example": "text"
                     *             }
                     *           },
                     *           "enforcement": "enforced"
                     *         },
                     *         "ca_certificate": {
                     *           "value": {
                     *             "pem": "text",
                     *             "url": "https://example.com/path"
                     *           },
                     *           "enforcement": "enforced"
                     *         },
                     *         "build_env": {
                     *           "example": "text"
                     *         },
                     *         "playground": {
                     *           "value": true,
                     *           "enforcement": "enforced"
                     *         },
                     *         "help_menu": {
                     *           "value": true,
                     *           "enforcement": "enforced"
                     *         },
                     *         "assistant": {
                     *           "value": true,
                     *           "enforcement": "enforced"
                     *         },
                     *         "gateway": {
                     *           "value": {
                     *             "api_url": "https://example.com/path",
                     *             "proxy_url": "https://example.com/path"
                     *           },
                     *           "enforcement": "enforced"
                     *         },
                     *         "degraded_mode": {
                     *           "policy": "warn",
                     *           "grace_period": "text",
                     *           "message": "must have at least 1 character"
                     *         }
                     *       },
                     *       "overrides": [
                     *         {
                     *           "group_id": "0197a3c2-ad93-76fc-abed-631fa67e05c3",
                     *           "precedence": 3,
                     *           "config": {
                     *             "registry": {
                     *               "value": {
                     *                 "api_url": "https://example.com/path",
                     *                 "server_api_url": "https://example.com/path",
                     *                 "allow_private_ip": true
                     *               },
                     *               "enforcement": "enforced"
                     *             },
                     *             "non_registry_servers": {
                     *               "value": true,
                     *               "enforcement": "enforced"
                     *             },
                     *             "telemetry": {
                     *               "value": {
                     *                 "otel_endpoint": "https://example.com/path",
                     *                 "sampling_rate": 1,
                     *                 "tracing_enabled": true,
                     *                 "metrics_enabled": true,
                     *                 "insecure": true,
                     *                 "headers": {
                     *                   "example": "text"
                     *                 }
                     *               },
                     *               "enforcement": "enforced"
                     *             },
                     *             "ca_certificate": {
                     *               "value": {
                     *                 "pem": "text",
                     *                 "url": "https://example.com/path"
                     *               },
                     *               "enforcement": "enforced"
                     *             },
                     *             "build_env": {
                     *               "example": "text"
                     *             },
                     *             "playground": {
                     *               "value": true,
                     *               "enforcement": "enforced"
                     *             },
                     *             "help_menu": {
                     *               "value": true,
                     *               "enforcement": "enforced"
                     *             },
                     *             "assistant": {
                     *               "value": true,
                     *               "enforcement": "enforced"
                     *             },
                     *             "gateway": {
                     *               "value": {
                     *                 "api_url": "https://example.com/path",
                     *                 "proxy_url": "https://example.com/path"
                     *               },
                     *               "enforcement": "enforced"
                     *             },
                     *             "degraded_mode": {
                     *               "policy": "warn",
                     *               "grace_period": "text",
                     *               "message": "must have at least 1 character"
                     *             }
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ClientConfig"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "body: must be an object"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    ClientConfig_put: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the state that the change is meant for */
                "If-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "config": {
                 *         "registry": {
                 *           "value": {
                 *             "api_url": "https://example.com/path",
                 *             "server_api_url": "https://example.com/path",
                 *             "allow_private_ip": true
                 *           },
                 *           "enforcement": "enforced"
                 *         },
                 *         "non_registry_servers": {
                 *           "value": true,
                 *           "enforcement": "enforced"
                 *         },
                 *         "telemetry": {
                 *           "value": {
                 *             "otel_endpoint": "https://example.com/path",
                 *             "sampling_rate": 1,
                 *             "tracing_enabled": true,
                 *             "metrics_enabled": true,
                 *             "insecure": true,
                 *             "headers": {
                 *               "example": "text"
                 *             }
                 *           },
                 *           "enforcement": "enforced"
                 *         },
                 *         "ca_certificate": {
                 *           "value": {
                 *             "pem": "text",
                 *             "url": "https://example.com/path"
                 *           },
                 *           "enforcement": "enforced"
                 *         },
                 *         "build_env": {
                 *           "example": "text"
                 *         },
                 *         "playground": {
                 *           "value": true,
                 *           "enforcement": "enforced"
                 *         },
                 *         "help_menu": {
                 *           "value": true,
                 *           "enforcement": "enforced"
                 *         },
                 *         "assistant": {
                 *           "value": true,
                 *           "enforcement": "enforced"
                 *         },
                 *         "gateway": {
                 *           "value": {
                 *             "api_url": "https://example.com/path",
                 *             "proxy_url": "https://example.com/path"
                 *           },
                 *           "enforcement": "enforced"
                 *         },
                 *         "degraded_mode": {
                 *           "policy": "warn",
                 *           "grace_period": "text",
                 *           "message": "must have at least 1 character"
                 *         }
                 *       },
                 *       "overrides": [
                 *         {
                 *           "group_id": "0197a3c2-ad93-76fc-abed-631fa67e05c3",
                 *           "precedence": 3,
                 *           "config": {
                 *             "registry": {
                 *               "value": {
                 *                 "api_url": "https://example.com/path",
                 *                 "server_api_url": "https://example.com/path",
                 *                 "allow_private_ip": true
                 *               },
                 *               "enforcement": "enforced"
                 *             },
                 *             "non_registry_servers": {
                 *               "value": true,
                 *               "enforcement": "enforced"
                 *             },
                 *             "telemetry": {
                 *               "value": {
                 *                 "otel_endpoint": "https://example.com/path",
                 *                 "sampling_rate": 1,
                 *                 "tracing_enabled": true,
                 *                 "metrics_enabled": true,
                 *                 "insecure": true,
                 *                 "headers": {
                 *                   "example": "text"
                 *                 }
                 *               },
                 *               "enforcement": "enforced"
                 *             },
                 *             "ca_certificate": {
                 *               "value": {
                 *                 "pem": "text",
                 *                 "url": "https://example.com/path"
                 *               },
                 *               "enforcement": "enforced"
                 *             },
                 *             "build_env": {
                 *               "example": "text"
                 *             },
                 *             "playground": {
                 *               "value": true,
                 *               "enforcement": "enforced"
                 *             },
                 *             "help_menu": {
                 *               "value": true,
                 *               "enforcement": "enforced"
                 *             },
                 *             "assistant": {
                 *               "value": true,
                 *               "enforcement": "enforced"
                 *             },
                 *             "gateway": {
                 *               "value": {
                 *                 "api_url": "https://example.com/path",
                 *                 "proxy_url": "https://example.com/path"
                 *               },
                 *               "enforcement": "enforced"
                 *             },
                 *             "degraded_mode": {
                 *               "policy": "warn",
                 *               "grace_period": "text",
                 *               "message": "must have at least 1 character"
                 *             }
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ClientConfig"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "config": {
                     *         "registry": {
                     *           "value": {
                     *             "api_url": "https://example.com/path",
                     *             "server_api_url": "https://example.com/path",
                     *             "allow_private_ip": true
                     *           },
                     *           "enforcement": "enforced"
                     *         },
                     *         "non_registry_servers": {
                     *           "value": true,
                     *           "enforcement": "enforced"
                     *         },
                     *         "telemetry": {
                     *           "value": {
                     *             "otel_endpoint": "https://example.com/path",
                     *             "sampling_rate": 1,
                     *             "tracing_enabled": true,
                     *             "metrics_enabled": true,
                     *             "insecure": true,
                     *             "headers": {
                     *               "example": "text"
                     *             }
                     *           },
                     *           "enforcement": "enforced"
                     *         },
                     *         "ca_certificate": {
                     *           "value": {
                     *             "pem": "text",
                     *             "url": "https://example.com/path"
                     *           },
                     *           "enforcement": "enforced"
                     *         },
                     *         "build_env": {
                     *           "example": "text"
                     *         },
                     *         "playground": {
                     *           "value": true,
                     *           "enforcement": "enforced"
                     *         },
                     *         "help_menu": {
                     *           "value": true,
                     *           "enforcement": "enforced"
                     *         },
                     *         "assistant": {
                     *           "value": true,
                     *           "enforcement": "enforced"
                     *         },
                     *         "gateway": {
                     *           "value": {
                     *             "api_url": "https://example.com/path",
                     *             "proxy_url": "https://example.com/path"
                     *           },
                     *           "enforcement": "enforced"
                     *         },
                     *         "degraded_mode": {
                     *           "policy": "warn",
                     *           "grace_period": "text",
                     *           "message": "must have at least 1 character"
                     *         }
                     *       },
                     *       "overrides": [
                     *         {
                     *           "group_id": "0197a3c2-ad93-76fc-abed-631fa67e05c3",
                     *           "precedence": 3,
                     *           "config": {
                     *             "registry": {
                     *               "value": {
                     *                 "api_url": "https://example.com/path",
                     *                 "server_api_url": "https://example.com/path",
                     *                 "allow_private_ip": true
                     *               },
                     *               "enforcement": "enforced"
                     *             },
                     *             "non_registry_servers": {
                     *               "value": true,
                     *               "enforcement": "enforced"
                     *             },
                     *             "telemetry": {
                     *               "value": {
                     *                 "otel_endpoint": "https://example.com/path",
                     *                 "sampling_rate": 1,
                     *                 "tracing_enabled": true,
                     *                 "metrics_enabled": true,
                     *                 "insecure": true,
                     *                 "headers": {
                     *                   "example": "text"
                     *                 }
                     *               },
                     *               "enforcement": "enforced"
                     *             },
                     *             "ca_certificate": {
                     *               "value": {
                     *                 "pem": "text",
                     *                 "url": "https://example.com/path"
                     *               },
                     *               "enforcement": "enforced"
                     *             },
                     *             "build_env": {
                     *               "example": "text"
                     *             },
                     *             "playground": {
                     *               "value": true,
                     *               "enforcement": "enforced"
                     *             },
                     *             "help_menu": {
                     *               "value": true,
                     *               "enforcement": "enforced"
                     *             },
                     *             "assistant": {
                     *               "value": true,
                     *               "enforcement": "enforced"
                     *             },
                     *             "gateway": {
                     *               "value": {
                     *                 "api_url": "https://example.com/path",
                     *                 "proxy_url": "https://example.com/path"
                     *               },
                     *               "enforcement": "enforced"
                     *             },
                     *             "degraded_mode": {
                     *               "policy": "warn",
                     *               "grace_period": "text",
                     *               "message": "must have at least 1 character"
                     *             }
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ClientConfig"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "config: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description `If-Match` names a state that is no longer the current one: somebody was faster. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the object was changed since it was read: read it again"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The body is larger than the operation takes (1 MiB; batches 8 MiB). */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "body: is larger than this operation takes"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The body is not of a content type that the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Content-Type: must be application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The request is well-formed, and a rule refuses what it asks for. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "a rule does not allow what this asks for"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Connections_get: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-b38d-79d1-a68c-3aedf156f4f2 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0197a3c2-b38d-79d1-a68c-3aedf156f4f2",
                     *       "gateway_id": "local",
                     *       "connector_id": "0197a3c2-c08c-76ac-afff-81cafe379f88",
                     *       "user_id": "0197a3c2-04f8-7996-ada7-63b7a969b102",
                     *       "enabled": true,
                     *       "tools_enabled_by_default": true,
                     *       "tools_exception_list": [
                     *         "delete_repository"
                     *       ],
                     *       "created_at": "2026-03-02T09:30:00Z",
                     *       "updated_at": "2026-03-04T16:05:12Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Connection"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no connection with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Policies_get: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag that the client has; 304 when it is still the state */
                "If-None-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-c08c-76ac-afff-81cafe379f88 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "connector_id": "0197a3c2-c08c-76ac-afff-81cafe379f88",
                     *       "mode": "structured",
                     *       "document": "permit (principal in Gatehouse::Group::\"data-platform\", action, resource);",
                     *       "granted_user_groups": [
                     *         {
                     *           "id": "0197a3c2-ad93-76fc-abed-631fa67e05c3",
                     *           "name": "data-platform"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ConnectorPolicy"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no policy with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Policies_replaceGroups: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description ETag of the state that the change is meant for
                 * @example "3q2-7wQJ"
                 */
                "If-Match": string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-c08c-76ac-afff-81cafe379f88 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "group_ids": [
                 *         "0197a3c2-ad93-76fc-abed-631fa67e05c3"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["PolicyGroupsWrite"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "connector_id": "0197a3c2-c08c-76ac-afff-81cafe379f88",
                     *       "mode": "structured",
                     *       "document": "permit (principal in Gatehouse::Group::\"data-platform\", action, resource);",
                     *       "granted_user_groups": [
                     *         {
                     *           "id": "0197a3c2-ad93-76fc-abed-631fa67e05c3",
                     *           "name": "data-platform"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ConnectorPolicy"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "group_ids: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no group with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The state of the object, or of one that is tied to it, does not allow the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the state of the object does not allow this"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description `If-Match` names a state that is no longer the current one: somebody was faster. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the object was changed since it was read: read it again"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The body is larger than the operation takes (1 MiB; batches 8 MiB). */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "body: is larger than this operation takes"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The body is not of a content type that the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Content-Type: must be application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The request is well-formed, and a rule refuses what it asks for. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "a rule does not allow what this asks for"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The change needs `If-Match`, and there was none. */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "If-Match: is required"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Policies_revokeGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the state that the change is meant for */
                "If-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-c08c-76ac-afff-81cafe379f88 */
                id: string;
                /** @example 0197a3c2-ad93-76fc-abed-631fa67e05c3 */
                group_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "connector_id": "0197a3c2-c08c-76ac-afff-81cafe379f88",
                     *       "mode": "structured",
                     *       "document": "permit (principal in Gatehouse::Group::\"data-platform\", action, resource);",
                     *       "granted_user_groups": [
                     *         {
                     *           "id": "0197a3c2-ad93-76fc-abed-631fa67e05c3",
                     *           "name": "data-platform"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ConnectorPolicy"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no group with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The state of the object, or of one that is tied to it, does not allow the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the state of the object does not allow this"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description `If-Match` names a state that is no longer the current one: somebody was faster. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the object was changed since it was read: read it again"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Connectors_list: {
        parameters: {
            query?: {
                /** @description Cursor of the next page, from `next_cursor` */
                cursor?: string;
                /** @description Cursor of the previous page, from `prev_cursor`; not together with `cursor` */
                before?: string;
                /** @description Entries on a page; larger values count as the maximum */
                limit?: number;
            };
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example local */
                gateway_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0197a3c2-c08c-76ac-afff-81cafe379f88",
                     *           "gateway_id": "local",
                     *           "name": "GitHub",
                     *           "slug": "github",
                     *           "endpoint": "https://mcp.example.com/mcp",
                     *           "transport": "streamable-http",
                     *           "auth": {
                     *             "type": "headerInjection",
                     *             "header_injection": {
                     *               "header_name": "X-Api-Key"
                     *             }
                     *           },
                     *           "allow_private_ips": true,
                     *           "deployment_mode": "kubernetes",
                     *           "origin": "manual",
                     *           "description": "Issues, pull requests and code of our organisation",
                     *           "icon_url": "https://example.com/icon.png",
                     *           "repository_url": "https://github.com/example/mcp",
                     *           "support_url": "https://example.com/support",
                     *           "version": "1.4.0",
                     *           "source_name": "github-mcp",
                     *           "source_namespace": "mcp",
                     *           "status": "draft",
                     *           "status_message": "the endpoint answers",
                     *           "created_at": "2026-03-02T09:30:00Z",
                     *           "updated_at": "2026-03-04T16:05:12Z"
                     *         }
                     *       ],
                     *       "next_cursor": "eyJwIjpbIjIwMjYtMDMtMDIiXX0.c2lnbmVk"
                     *     }
                     */
                    "application/json": components["schemas"]["ConnectorPage"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "limit: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no connector with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Connectors_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example local */
                gateway_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "GitHub",
                 *       "endpoint": "https://mcp.example.com/mcp",
                 *       "transport": "streamable-http",
                 *       "draft": true,
                 *       "auth": {
                 *         "type": "headerInjection",
                 *         "header_injection": {
                 *           "header_name": "X-Api-Key",
                 *           "value": {
                 *             "managed_secret_id": "0197a3c2-1a11-7497-a7a9-9d3b828c906b"
                 *           }
                 *         }
                 *       },
                 *       "allow_private_ips": true,
                 *       "description": "Issues, pull requests and code of our organisation",
                 *       "icon_url": "https://example.com/icon.png",
                 *       "repository_url": "https://github.com/example/mcp",
                 *       "support_url": "https://example.com/support",
                 *       "version": "1.4.0",
                 *       "source_name": "github-mcp",
                 *       "source_namespace": "mcp",
                 *       "origin": "manual"
                 *     }
                 */
                "application/json": components["schemas"]["ConnectorWrite"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0197a3c2-c08c-76ac-afff-81cafe379f88",
                     *       "gateway_id": "local",
                     *       "name": "GitHub",
                     *       "slug": "github",
                     *       "endpoint": "https://mcp.example.com/mcp",
                     *       "transport": "streamable-http",
                     *       "auth": {
                     *         "type": "headerInjection",
                     *         "header_injection": {
                     *           "header_name": "X-Api-Key"
                     *         }
                     *       },
                     *       "allow_private_ips": true,
                     *       "deployment_mode": "kubernetes",
                     *       "origin": "manual",
                     *       "description": "Issues, pull requests and code of our organisation",
                     *       "icon_url": "https://example.com/icon.png",
                     *       "repository_url": "https://github.com/example/mcp",
                     *       "support_url": "https://example.com/support",
                     *       "version": "1.4.0",
                     *       "source_name": "github-mcp",
                     *       "source_namespace": "mcp",
                     *       "status": "draft",
                     *       "status_message": "the endpoint answers",
                     *       "created_at": "2026-03-02T09:30:00Z",
                     *       "updated_at": "2026-03-04T16:05:12Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Connector"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "name: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no connector with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The state of the object, or of one that is tied to it, does not allow the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the state of the object does not allow this"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The body is larger than the operation takes (1 MiB; batches 8 MiB). */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "body: is larger than this operation takes"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The body is not of a content type that the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Content-Type: must be application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The request is well-formed, and a rule refuses what it asks for. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "a rule does not allow what this asks for"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Connectors_get: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag that the client has; 304 when it is still the state */
                "If-None-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example local */
                gateway_id: string;
                /** @example 0197a3c2-c08c-76ac-afff-81cafe379f88 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0197a3c2-c08c-76ac-afff-81cafe379f88",
                     *       "gateway_id": "local",
                     *       "name": "GitHub",
                     *       "slug": "github",
                     *       "endpoint": "https://mcp.example.com/mcp",
                     *       "transport": "streamable-http",
                     *       "auth": {
                     *         "type": "headerInjection",
                     *         "header_injection": {
                     *           "header_name": "X-Api-Key"
                     *         }
                     *       },
                     *       "allow_private_ips": true,
                     *       "deployment_mode": "kubernetes",
                     *       "origin": "manual",
                     *       "description": "Issues, pull requests and code of our organisation",
                     *       "icon_url": "https://example.com/icon.png",
                     *       "repository_url": "https://github.com/example/mcp",
                     *       "support_url": "https://example.com/support",
                     *       "version": "1.4.0",
                     *       "source_name": "github-mcp",
                     *       "source_namespace": "mcp",
                     *       "status": "draft",
                     *       "status_message": "the endpoint answers",
                     *       "created_at": "2026-03-02T09:30:00Z",
                     *       "updated_at": "2026-03-04T16:05:12Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Connector"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "gateway_id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no connector with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Connectors_update: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the state that the change is meant for */
                "If-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example local */
                gateway_id: string;
                /** @example 0197a3c2-c08c-76ac-afff-81cafe379f88 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "GitHub",
                 *       "endpoint": "https://mcp.example.com/mcp",
                 *       "transport": "streamable-http",
                 *       "draft": true,
                 *       "auth": {
                 *         "type": "headerInjection",
                 *         "header_injection": {
                 *           "header_name": "X-Api-Key",
                 *           "value": {
                 *             "managed_secret_id": "0197a3c2-1a11-7497-a7a9-9d3b828c906b"
                 *           }
                 *         }
                 *       },
                 *       "allow_private_ips": true,
                 *       "description": "Issues, pull requests and code of our organisation",
                 *       "icon_url": "https://example.com/icon.png",
                 *       "repository_url": "https://github.com/example/mcp",
                 *       "support_url": "https://example.com/support",
                 *       "version": "1.4.0",
                 *       "source_name": "github-mcp",
                 *       "source_namespace": "mcp",
                 *       "origin": "manual"
                 *     }
                 */
                "application/json": components["schemas"]["ConnectorWrite"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0197a3c2-c08c-76ac-afff-81cafe379f88",
                     *       "gateway_id": "local",
                     *       "name": "GitHub",
                     *       "slug": "github",
                     *       "endpoint": "https://mcp.example.com/mcp",
                     *       "transport": "streamable-http",
                     *       "auth": {
                     *         "type": "headerInjection",
                     *         "header_injection": {
                     *           "header_name": "X-Api-Key"
                     *         }
                     *       },
                     *       "allow_private_ips": true,
                     *       "deployment_mode": "kubernetes",
                     *       "origin": "manual",
                     *       "description": "Issues, pull requests and code of our organisation",
                     *       "icon_url": "https://example.com/icon.png",
                     *       "repository_url": "https://github.com/example/mcp",
                     *       "support_url": "https://example.com/support",
                     *       "version": "1.4.0",
                     *       "source_name": "github-mcp",
                     *       "source_namespace": "mcp",
                     *       "status": "draft",
                     *       "status_message": "the endpoint answers",
                     *       "created_at": "2026-03-02T09:30:00Z",
                     *       "updated_at": "2026-03-04T16:05:12Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Connector"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "name: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no connector with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The state of the object, or of one that is tied to it, does not allow the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the state of the object does not allow this"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description `If-Match` names a state that is no longer the current one: somebody was faster. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the object was changed since it was read: read it again"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The body is larger than the operation takes (1 MiB; batches 8 MiB). */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "body: is larger than this operation takes"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The body is not of a content type that the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Content-Type: must be application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The request is well-formed, and a rule refuses what it asks for. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "a rule does not allow what this asks for"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Connectors_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the state that the change is meant for */
                "If-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example local */
                gateway_id: string;
                /** @example 0197a3c2-c08c-76ac-afff-81cafe379f88 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "gateway_id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no connector with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description `If-Match` names a state that is no longer the current one: somebody was faster. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the object was changed since it was read: read it again"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Connections_list: {
        parameters: {
            query?: {
                /** @description Cursor of the next page, from `next_cursor` */
                cursor?: string;
                /** @description Cursor of the previous page, from `prev_cursor`; not together with `cursor` */
                before?: string;
                /** @description Entries on a page; larger values count as the maximum */
                limit?: number;
            };
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example local */
                gateway_id: string;
                /** @example 0197a3c2-c08c-76ac-afff-81cafe379f88 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0197a3c2-b38d-79d1-a68c-3aedf156f4f2",
                     *           "gateway_id": "local",
                     *           "connector_id": "0197a3c2-c08c-76ac-afff-81cafe379f88",
                     *           "user_id": "0197a3c2-04f8-7996-ada7-63b7a969b102",
                     *           "enabled": true,
                     *           "tools_enabled_by_default": true,
                     *           "tools_exception_list": [
                     *             "delete_repository"
                     *           ],
                     *           "created_at": "2026-03-02T09:30:00Z",
                     *           "updated_at": "2026-03-04T16:05:12Z"
                     *         }
                     *       ],
                     *       "next_cursor": "eyJwIjpbIjIwMjYtMDMtMDIiXX0.c2lnbmVk"
                     *     }
                     */
                    "application/json": components["schemas"]["ConnectionPage"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "limit: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no connection with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Groups_list: {
        parameters: {
            query?: {
                /** @description Exact name */
                name?: string;
                /** @description Exact display name; case does not matter */
                display_name?: string;
                /** @description `local` or `scim` */
                source?: string;
                /** @description Part of display name or name; case does not matter */
                search?: string;
                /** @description Cursor of the next page, from `next_cursor` */
                cursor?: string;
                /** @description Cursor of the previous page, from `prev_cursor`; not together with `cursor` */
                before?: string;
                /** @description Entries on a page; larger values count as the maximum */
                limit?: number;
            };
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0197a3c2-ad93-76fc-abed-631fa67e05c3",
                     *           "name": "data-platform",
                     *           "display_name": "Data platform",
                     *           "description": "People who run the data platform",
                     *           "source": "local",
                     *           "transitive_member_count": 42,
                     *           "created_at": "2026-03-02T09:30:00Z",
                     *           "updated_at": "2026-03-04T16:05:12Z"
                     *         }
                     *       ],
                     *       "next_cursor": "eyJwIjpbIjIwMjYtMDMtMDIiXX0.c2lnbmVk"
                     *     }
                     */
                    "application/json": components["schemas"]["GroupPage"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "limit: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Groups_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "display_name": "Data platform",
                 *       "description": "People who run the data platform"
                 *     }
                 */
                "application/json": components["schemas"]["GroupCreate"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description Where the created object is */
                    Location?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0197a3c2-ad93-76fc-abed-631fa67e05c3",
                     *       "name": "data-platform",
                     *       "display_name": "Data platform",
                     *       "description": "People who run the data platform",
                     *       "source": "local",
                     *       "transitive_member_count": 42,
                     *       "members": [
                     *         {
                     *           "id": "0197a3c2-04f8-7996-ada7-63b7a969b102",
                     *           "display": "Alice Moreau",
                     *           "type": "User"
                     *         }
                     *       ],
                     *       "created_at": "2026-03-02T09:30:00Z",
                     *       "updated_at": "2026-03-04T16:05:12Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Group"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "display_name: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The state of the object, or of one that is tied to it, does not allow the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the state of the object does not allow this"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The body is larger than the operation takes (1 MiB; batches 8 MiB). */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "body: is larger than this operation takes"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The body is not of a content type that the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Content-Type: must be application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Memberships_addSubgroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the state that the change is meant for */
                "If-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-ad93-76fc-abed-631fa67e05c3 */
                group_id: string;
                /** @example 0197a3c2-ddc9-7e66-a919-4254cef019a2 */
                child_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0197a3c2-ad93-76fc-abed-631fa67e05c3",
                     *       "name": "data-platform",
                     *       "display_name": "Data platform",
                     *       "description": "People who run the data platform",
                     *       "source": "local",
                     *       "transitive_member_count": 42,
                     *       "members": [
                     *         {
                     *           "id": "0197a3c2-04f8-7996-ada7-63b7a969b102",
                     *           "display": "Alice Moreau",
                     *           "type": "User"
                     *         }
                     *       ],
                     *       "created_at": "2026-03-02T09:30:00Z",
                     *       "updated_at": "2026-03-04T16:05:12Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Group"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "group_id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no subgroup with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The state of the object, or of one that is tied to it, does not allow the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the state of the object does not allow this"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description `If-Match` names a state that is no longer the current one: somebody was faster. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the object was changed since it was read: read it again"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Memberships_removeSubgroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the state that the change is meant for */
                "If-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-ad93-76fc-abed-631fa67e05c3 */
                group_id: string;
                /** @example 0197a3c2-ddc9-7e66-a919-4254cef019a2 */
                child_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0197a3c2-ad93-76fc-abed-631fa67e05c3",
                     *       "name": "data-platform",
                     *       "display_name": "Data platform",
                     *       "description": "People who run the data platform",
                     *       "source": "local",
                     *       "transitive_member_count": 42,
                     *       "members": [
                     *         {
                     *           "id": "0197a3c2-04f8-7996-ada7-63b7a969b102",
                     *           "display": "Alice Moreau",
                     *           "type": "User"
                     *         }
                     *       ],
                     *       "created_at": "2026-03-02T09:30:00Z",
                     *       "updated_at": "2026-03-04T16:05:12Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Group"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "group_id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no subgroup with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The state of the object, or of one that is tied to it, does not allow the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the state of the object does not allow this"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description `If-Match` names a state that is no longer the current one: somebody was faster. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the object was changed since it was read: read it again"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Memberships_addUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the state that the change is meant for */
                "If-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-ad93-76fc-abed-631fa67e05c3 */
                group_id: string;
                /** @example 0197a3c2-04f8-7996-ada7-63b7a969b102 */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0197a3c2-ad93-76fc-abed-631fa67e05c3",
                     *       "name": "data-platform",
                     *       "display_name": "Data platform",
                     *       "description": "People who run the data platform",
                     *       "source": "local",
                     *       "transitive_member_count": 42,
                     *       "members": [
                     *         {
                     *           "id": "0197a3c2-04f8-7996-ada7-63b7a969b102",
                     *           "display": "Alice Moreau",
                     *           "type": "User"
                     *         }
                     *       ],
                     *       "created_at": "2026-03-02T09:30:00Z",
                     *       "updated_at": "2026-03-04T16:05:12Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Group"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "group_id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no user with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The state of the object, or of one that is tied to it, does not allow the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the state of the object does not allow this"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description `If-Match` names a state that is no longer the current one: somebody was faster. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the object was changed since it was read: read it again"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Memberships_removeUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the state that the change is meant for */
                "If-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-ad93-76fc-abed-631fa67e05c3 */
                group_id: string;
                /** @example 0197a3c2-04f8-7996-ada7-63b7a969b102 */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0197a3c2-ad93-76fc-abed-631fa67e05c3",
                     *       "name": "data-platform",
                     *       "display_name": "Data platform",
                     *       "description": "People who run the data platform",
                     *       "source": "local",
                     *       "transitive_member_count": 42,
                     *       "members": [
                     *         {
                     *           "id": "0197a3c2-04f8-7996-ada7-63b7a969b102",
                     *           "display": "Alice Moreau",
                     *           "type": "User"
                     *         }
                     *       ],
                     *       "created_at": "2026-03-02T09:30:00Z",
                     *       "updated_at": "2026-03-04T16:05:12Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Group"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "group_id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no user with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The state of the object, or of one that is tied to it, does not allow the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the state of the object does not allow this"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description `If-Match` names a state that is no longer the current one: somebody was faster. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the object was changed since it was read: read it again"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Groups_get: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag that the client has; 304 when it is still the state */
                "If-None-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-ad93-76fc-abed-631fa67e05c3 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0197a3c2-ad93-76fc-abed-631fa67e05c3",
                     *       "name": "data-platform",
                     *       "display_name": "Data platform",
                     *       "description": "People who run the data platform",
                     *       "source": "local",
                     *       "transitive_member_count": 42,
                     *       "members": [
                     *         {
                     *           "id": "0197a3c2-04f8-7996-ada7-63b7a969b102",
                     *           "display": "Alice Moreau",
                     *           "type": "User"
                     *         }
                     *       ],
                     *       "created_at": "2026-03-02T09:30:00Z",
                     *       "updated_at": "2026-03-04T16:05:12Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Group"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no group with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Groups_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the state that the change is meant for */
                "If-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-ad93-76fc-abed-631fa67e05c3 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no group with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The state of the object, or of one that is tied to it, does not allow the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the state of the object does not allow this"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description `If-Match` names a state that is no longer the current one: somebody was faster. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the object was changed since it was read: read it again"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Groups_patch: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the state that the change is meant for */
                "If-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-ad93-76fc-abed-631fa67e05c3 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "display_name": "Data platform",
                 *       "description": "People who run the data platform"
                 *     }
                 */
                "application/json": components["schemas"]["GroupPatch"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0197a3c2-ad93-76fc-abed-631fa67e05c3",
                     *       "name": "data-platform",
                     *       "display_name": "Data platform",
                     *       "description": "People who run the data platform",
                     *       "source": "local",
                     *       "transitive_member_count": 42,
                     *       "members": [
                     *         {
                     *           "id": "0197a3c2-04f8-7996-ada7-63b7a969b102",
                     *           "display": "Alice Moreau",
                     *           "type": "User"
                     *         }
                     *       ],
                     *       "created_at": "2026-03-02T09:30:00Z",
                     *       "updated_at": "2026-03-04T16:05:12Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Group"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "display_name: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no group with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The state of the object, or of one that is tied to it, does not allow the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the state of the object does not allow this"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description `If-Match` names a state that is no longer the current one: somebody was faster. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the object was changed since it was read: read it again"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The body is larger than the operation takes (1 MiB; batches 8 MiB). */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "body: is larger than this operation takes"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The body is not of a content type that the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Content-Type: must be application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Memberships_list: {
        parameters: {
            query?: {
                /** @description Entries on a page; larger values count as the maximum */
                limit?: number;
                /** @description Next page of people, from `next_users_cursor` */
                users_cursor?: string;
                /** @description Previous page of people, from `prev_users_cursor`; not together with `users_cursor` */
                users_before?: string;
                /** @description Next page of groups, from `next_groups_cursor` */
                groups_cursor?: string;
                /** @description Previous page of groups, from `prev_groups_cursor`; not together with `groups_cursor` */
                groups_before?: string;
                /** @description Only people who are active, or only people who are not */
                active?: boolean;
                /** @description Part of a person’s display name, user name or e-mail, or of a group’s display name or name */
                search?: string;
            };
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-ad93-76fc-abed-631fa67e05c3 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "direct_child_groups": [
                     *         {
                     *           "id": "0197a3c2-ad93-76fc-abed-631fa67e05c3",
                     *           "name": "data-platform",
                     *           "display_name": "Data platform",
                     *           "description": "People who run the data platform",
                     *           "source": "local",
                     *           "transitive_member_count": 42,
                     *           "created_at": "2026-03-02T09:30:00Z",
                     *           "updated_at": "2026-03-04T16:05:12Z"
                     *         }
                     *       ],
                     *       "transitive_users": [
                     *         {
                     *           "id": "0197a3c2-04f8-7996-ada7-63b7a969b102",
                     *           "user_name": "alice",
                     *           "display_name": "Alice Moreau",
                     *           "email": "alice@example.com",
                     *           "photo_url": "https://example.com/alice.png",
                     *           "source": "config",
                     *           "active": true,
                     *           "created_at": "2026-03-02T09:30:00Z",
                     *           "updated_at": "2026-03-04T16:05:12Z"
                     *         }
                     *       ],
                     *       "next_groups_cursor": "eyJwIjpbIjIwMjYtMDMtMDIiXX0.c2lnbmVk",
                     *       "next_users_cursor": "eyJwIjpbIjIwMjYtMDMtMDIiXX0.c2lnbmVk"
                     *     }
                     */
                    "application/json": components["schemas"]["GroupMembers"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "limit: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no member with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    GroupMetadata_get: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag that the client has; 304 when it is still the state */
                "If-None-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-ad93-76fc-abed-631fa67e05c3 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entity_id": "0197a3c2-bca3-7685-afea-8acd4e4b5c14",
                     *       "entity_kind": "user",
                     *       "metadata": {
                     *         "example": "text"
                     *       },
                     *       "created_at": "2026-03-02T09:30:00Z",
                     *       "updated_at": "2026-03-04T16:05:12Z"
                     *     }
                     */
                    "application/json": components["schemas"]["EntityMetadata"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no metadata with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    GroupMetadata_put: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the state that the change is meant for */
                "If-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-ad93-76fc-abed-631fa67e05c3 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "example": "text"
                 *     }
                 */
                "application/json": components["schemas"]["MetadataDocument"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "example: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no metadata with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description `If-Match` names a state that is no longer the current one: somebody was faster. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the object was changed since it was read: read it again"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The body is larger than the operation takes (1 MiB; batches 8 MiB). */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "body: is larger than this operation takes"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The body is not of a content type that the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Content-Type: must be application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    GroupMetadata_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the state that the change is meant for */
                "If-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-ad93-76fc-abed-631fa67e05c3 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no metadata with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description `If-Match` names a state that is no longer the current one: somebody was faster. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the object was changed since it was read: read it again"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    KeyEncryption_get: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "current_version": 3,
                     *       "versions": [
                     *         {
                     *           "version": 3,
                     *           "state": "current",
                     *           "values": 3
                     *         }
                     *       ],
                     *       "rewrapping": true
                     *     }
                     */
                    "application/json": components["schemas"]["KeyEncryptionStatus"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "body: must be an object"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    KeyEncryption_rewrap: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "current_version": 3,
                     *       "versions": [
                     *         {
                     *           "version": 3,
                     *           "state": "current",
                     *           "values": 3
                     *         }
                     *       ],
                     *       "rewrapping": true
                     *     }
                     */
                    "application/json": components["schemas"]["KeyEncryptionStatus"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "body: must be an object"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Keys_list: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "id": "k7m2p4qx",
                     *           "name": "laptop of alice",
                     *           "prefix": "text",
                     *           "status": "active",
                     *           "owner_ref": "text",
                     *           "created_by": "text",
                     *           "created_at": "2026-03-02T09:30:00Z",
                     *           "expires_at": "2026-09-01T00:00:00Z",
                     *           "last_used_at": "2026-03-04T16:05:12Z",
                     *           "previous_secret_valid_until": "2026-03-02T09:30:00Z",
                     *           "metadata": {
                     *             "example": "text"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["KeyList"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "body: must be an object"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Keys_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "laptop",
                 *       "metadata": {
                 *         "team": "search"
                 *       },
                 *       "ttl_seconds": 7776000
                 *     }
                 */
                "application/json": components["schemas"]["KeyCreate"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description Where the created object is */
                    Location?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": {
                     *         "id": "k7m2p4qx",
                     *         "name": "laptop of alice",
                     *         "prefix": "text",
                     *         "status": "active",
                     *         "owner_ref": "text",
                     *         "created_by": "text",
                     *         "created_at": "2026-03-02T09:30:00Z",
                     *         "expires_at": "2026-09-01T00:00:00Z",
                     *         "last_used_at": "2026-03-04T16:05:12Z",
                     *         "previous_secret_valid_until": "2026-03-02T09:30:00Z",
                     *         "metadata": {
                     *           "example": "text"
                     *         }
                     *       },
                     *       "secret": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["KeyWithSecret"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "name: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The state of the object, or of one that is tied to it, does not allow the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the state of the object does not allow this"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The body is larger than the operation takes (1 MiB; batches 8 MiB). */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "body: is larger than this operation takes"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The body is not of a content type that the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Content-Type: must be application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Keys_get: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example k7m2p4qx */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "k7m2p4qx",
                     *       "name": "laptop of alice",
                     *       "prefix": "text",
                     *       "status": "active",
                     *       "disabled_by": [
                     *         "owner"
                     *       ],
                     *       "owner_ref": "text",
                     *       "created_by": "text",
                     *       "created_at": "2026-03-02T09:30:00Z",
                     *       "expires_at": "2026-09-01T00:00:00Z",
                     *       "last_used_at": "2026-03-04T16:05:12Z",
                     *       "previous_secret_valid_until": "2026-03-02T09:30:00Z",
                     *       "metadata": {
                     *         "example": "text"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["VirtualKey"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no key with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Keys_revoke: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example k7m2p4qx */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no key with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Keys_disable: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example k7m2p4qx */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no disable with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The state of the object, or of one that is tied to it, does not allow the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the state of the object does not allow this"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Keys_enable: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example k7m2p4qx */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no enable with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The state of the object, or of one that is tied to it, does not allow the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the state of the object does not allow this"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Keys_rotate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names this rotation: the same name again is 409 instead of another rotation */
                "Idempotency-Key"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example k7m2p4qx */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": {
                     *         "id": "k7m2p4qx",
                     *         "name": "laptop of alice",
                     *         "prefix": "text",
                     *         "status": "active",
                     *         "owner_ref": "text",
                     *         "created_by": "text",
                     *         "created_at": "2026-03-02T09:30:00Z",
                     *         "expires_at": "2026-09-01T00:00:00Z",
                     *         "last_used_at": "2026-03-04T16:05:12Z",
                     *         "previous_secret_valid_until": "2026-03-02T09:30:00Z",
                     *         "metadata": {
                     *           "example": "text"
                     *         }
                     *       },
                     *       "secret": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["KeyWithSecret"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no rotate with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The state of the object, or of one that is tied to it, does not allow the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the state of the object does not allow this"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    ManagedSecrets_list: {
        parameters: {
            query?: {
                /** @description Exact name; case does not matter */
                name?: string;
                /** @description Cursor of the next page, from `next_cursor` */
                cursor?: string;
                /** @description Cursor of the previous page, from `prev_cursor`; not together with `cursor` */
                before?: string;
                /** @description Entries on a page; larger values count as the maximum */
                limit?: number;
            };
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0197a3c2-2bb8-70d5-a37b-1da3e38bd303",
                     *           "name": "github-token",
                     *           "version": 3,
                     *           "created_at": "2026-03-02T09:30:00Z",
                     *           "updated_at": "2026-03-04T16:05:12Z"
                     *         }
                     *       ],
                     *       "next_cursor": "eyJwIjpbIjIwMjYtMDMtMDIiXX0.c2lnbmVk"
                     *     }
                     */
                    "application/json": components["schemas"]["ManagedSecretPage"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "limit: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    ManagedSecrets_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "github-token",
                 *       "value": "ghp_example_value"
                 *     }
                 */
                "application/json": components["schemas"]["ManagedSecretCreate"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Where the created object is */
                    Location?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0197a3c2-2bb8-70d5-a37b-1da3e38bd303",
                     *       "name": "github-token",
                     *       "version": 3,
                     *       "created_at": "2026-03-02T09:30:00Z",
                     *       "updated_at": "2026-03-04T16:05:12Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ManagedSecret"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "name: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The state of the object, or of one that is tied to it, does not allow the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the state of the object does not allow this"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The body is larger than the operation takes (1 MiB; batches 8 MiB). */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "body: is larger than this operation takes"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The body is not of a content type that the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Content-Type: must be application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    ManagedSecrets_get: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag that the client has; 304 when it is still the state */
                "If-None-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-2bb8-70d5-a37b-1da3e38bd303 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0197a3c2-2bb8-70d5-a37b-1da3e38bd303",
                     *       "name": "github-token",
                     *       "version": 3,
                     *       "created_at": "2026-03-02T09:30:00Z",
                     *       "updated_at": "2026-03-04T16:05:12Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ManagedSecret"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no secret with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    ManagedSecrets_update: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the state that the change is meant for */
                "If-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-2bb8-70d5-a37b-1da3e38bd303 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "value": "ghp_example_value"
                 *     }
                 */
                "application/json": components["schemas"]["ManagedSecretUpdate"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0197a3c2-2bb8-70d5-a37b-1da3e38bd303",
                     *       "name": "github-token",
                     *       "version": 3,
                     *       "created_at": "2026-03-02T09:30:00Z",
                     *       "updated_at": "2026-03-04T16:05:12Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ManagedSecret"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "value: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no secret with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description `If-Match` names a state that is no longer the current one: somebody was faster. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the object was changed since it was read: read it again"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The body is larger than the operation takes (1 MiB; batches 8 MiB). */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "body: is larger than this operation takes"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The body is not of a content type that the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Content-Type: must be application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The request is well-formed, and a rule refuses what it asks for. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "a rule does not allow what this asks for"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    ManagedSecrets_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the state that the change is meant for */
                "If-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-2bb8-70d5-a37b-1da3e38bd303 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no secret with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The state of the object, or of one that is tied to it, does not allow the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the state of the object does not allow this"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description `If-Match` names a state that is no longer the current one: somebody was faster. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the object was changed since it was read: read it again"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Me_profile: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag that the client has; 304 when it is still the state */
                "If-None-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "issuer": "https://id.example.com",
                     *       "subject": "00u1f4c2k7",
                     *       "active": true,
                     *       "groups": [
                     *         {
                     *           "id": "0197a3c2-ad93-76fc-abed-631fa67e05c3",
                     *           "name": "data-platform",
                     *           "display_name": "Data platform",
                     *           "description": "People who run the data platform",
                     *           "source": "local",
                     *           "transitive_member_count": 42,
                     *           "created_at": "2026-03-02T09:30:00Z",
                     *           "updated_at": "2026-03-04T16:05:12Z"
                     *         }
                     *       ],
                     *       "id": "0197a3c2-04f8-7996-ada7-63b7a969b102",
                     *       "user_name": "alice",
                     *       "display_name": "Alice Moreau",
                     *       "email": "alice@example.com",
                     *       "source": "config"
                     *     }
                     */
                    "application/json": components["schemas"]["OwnProfile"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "body: must be an object"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    OwnConnections_list: {
        parameters: {
            query?: {
                gateway_id?: string;
                /** @description Cursor of the next page, from `next_cursor` */
                cursor?: string;
                /** @description Cursor of the previous page, from `prev_cursor`; not together with `cursor` */
                before?: string;
                /** @description Entries on a page; larger values count as the maximum */
                limit?: number;
            };
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0197a3c2-b38d-79d1-a68c-3aedf156f4f2",
                     *           "gateway_id": "local",
                     *           "connector_id": "0197a3c2-c08c-76ac-afff-81cafe379f88",
                     *           "user_id": "0197a3c2-04f8-7996-ada7-63b7a969b102",
                     *           "enabled": true,
                     *           "tools_enabled_by_default": true,
                     *           "tools_exception_list": [
                     *             "delete_repository"
                     *           ],
                     *           "created_at": "2026-03-02T09:30:00Z",
                     *           "updated_at": "2026-03-04T16:05:12Z"
                     *         }
                     *       ],
                     *       "next_cursor": "eyJwIjpbIjIwMjYtMDMtMDIiXX0.c2lnbmVk"
                     *     }
                     */
                    "application/json": components["schemas"]["ConnectionPage"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "limit: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no connection with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    OwnConnections_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "gateway_id": "local",
                 *       "connector_id": "0197a3c2-c08c-76ac-afff-81cafe379f88",
                 *       "enabled": true,
                 *       "tools_enabled_by_default": true,
                 *       "tools_exception_list": [
                 *         "delete_repository"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ConnectionCreate"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0197a3c2-b38d-79d1-a68c-3aedf156f4f2",
                     *       "gateway_id": "local",
                     *       "connector_id": "0197a3c2-c08c-76ac-afff-81cafe379f88",
                     *       "user_id": "0197a3c2-04f8-7996-ada7-63b7a969b102",
                     *       "enabled": true,
                     *       "tools_enabled_by_default": true,
                     *       "tools_exception_list": [
                     *         "delete_repository"
                     *       ],
                     *       "created_at": "2026-03-02T09:30:00Z",
                     *       "updated_at": "2026-03-04T16:05:12Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Connection"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "gateway_id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no connection with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The state of the object, or of one that is tied to it, does not allow the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the state of the object does not allow this"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The body is larger than the operation takes (1 MiB; batches 8 MiB). */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "body: is larger than this operation takes"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The body is not of a content type that the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Content-Type: must be application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    OwnConnections_get: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-b38d-79d1-a68c-3aedf156f4f2 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0197a3c2-b38d-79d1-a68c-3aedf156f4f2",
                     *       "gateway_id": "local",
                     *       "connector_id": "0197a3c2-c08c-76ac-afff-81cafe379f88",
                     *       "user_id": "0197a3c2-04f8-7996-ada7-63b7a969b102",
                     *       "enabled": true,
                     *       "tools_enabled_by_default": true,
                     *       "tools_exception_list": [
                     *         "delete_repository"
                     *       ],
                     *       "created_at": "2026-03-02T09:30:00Z",
                     *       "updated_at": "2026-03-04T16:05:12Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Connection"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no connection with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    OwnConnections_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-b38d-79d1-a68c-3aedf156f4f2 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no connection with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    OwnConnections_setEnabled: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-b38d-79d1-a68c-3aedf156f4f2 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": true
                 *     }
                 */
                "application/json": components["schemas"]["ConnectionEnabledWrite"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0197a3c2-b38d-79d1-a68c-3aedf156f4f2",
                     *       "gateway_id": "local",
                     *       "connector_id": "0197a3c2-c08c-76ac-afff-81cafe379f88",
                     *       "user_id": "0197a3c2-04f8-7996-ada7-63b7a969b102",
                     *       "enabled": true,
                     *       "tools_enabled_by_default": true,
                     *       "tools_exception_list": [
                     *         "delete_repository"
                     *       ],
                     *       "created_at": "2026-03-02T09:30:00Z",
                     *       "updated_at": "2026-03-04T16:05:12Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Connection"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "enabled: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no enabled with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The body is larger than the operation takes (1 MiB; batches 8 MiB). */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "body: is larger than this operation takes"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The body is not of a content type that the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Content-Type: must be application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    OwnConnections_setToolPolicy: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-b38d-79d1-a68c-3aedf156f4f2 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "tools_enabled_by_default": true,
                 *       "tools_exception_list": [
                 *         "delete_repository"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ConnectionToolPolicyWrite"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0197a3c2-b38d-79d1-a68c-3aedf156f4f2",
                     *       "gateway_id": "local",
                     *       "connector_id": "0197a3c2-c08c-76ac-afff-81cafe379f88",
                     *       "user_id": "0197a3c2-04f8-7996-ada7-63b7a969b102",
                     *       "enabled": true,
                     *       "tools_enabled_by_default": true,
                     *       "tools_exception_list": [
                     *         "delete_repository"
                     *       ],
                     *       "created_at": "2026-03-02T09:30:00Z",
                     *       "updated_at": "2026-03-04T16:05:12Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Connection"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "tools_enabled_by_default: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no policy with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The body is larger than the operation takes (1 MiB; batches 8 MiB). */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "body: is larger than this operation takes"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The body is not of a content type that the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Content-Type: must be application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    OwnConnectors_list: {
        parameters: {
            query?: {
                /** @description Cursor of the next page, from `next_cursor` */
                cursor?: string;
                /** @description Cursor of the previous page, from `prev_cursor`; not together with `cursor` */
                before?: string;
                /** @description Entries on a page; larger values count as the maximum */
                limit?: number;
            };
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example local */
                gateway_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0197a3c2-c08c-76ac-afff-81cafe379f88",
                     *           "gateway_id": "local",
                     *           "name": "GitHub",
                     *           "slug": "github",
                     *           "endpoint": "https://mcp.example.com/mcp",
                     *           "transport": "streamable-http",
                     *           "auth": {
                     *             "type": "headerInjection",
                     *             "header_injection": {
                     *               "header_name": "X-Api-Key"
                     *             }
                     *           },
                     *           "allow_private_ips": true,
                     *           "deployment_mode": "kubernetes",
                     *           "origin": "manual",
                     *           "description": "Issues, pull requests and code of our organisation",
                     *           "icon_url": "https://example.com/icon.png",
                     *           "repository_url": "https://github.com/example/mcp",
                     *           "support_url": "https://example.com/support",
                     *           "version": "1.4.0",
                     *           "source_name": "github-mcp",
                     *           "source_namespace": "mcp",
                     *           "status": "draft",
                     *           "status_message": "the endpoint answers",
                     *           "created_at": "2026-03-02T09:30:00Z",
                     *           "updated_at": "2026-03-04T16:05:12Z"
                     *         }
                     *       ],
                     *       "next_cursor": "eyJwIjpbIjIwMjYtMDMtMDIiXX0.c2lnbmVk"
                     *     }
                     */
                    "application/json": components["schemas"]["ConnectorPage"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "limit: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no connector with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    OwnConnectors_get: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example local */
                gateway_id: string;
                /** @example 0197a3c2-c08c-76ac-afff-81cafe379f88 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0197a3c2-c08c-76ac-afff-81cafe379f88",
                     *       "gateway_id": "local",
                     *       "name": "GitHub",
                     *       "slug": "github",
                     *       "endpoint": "https://mcp.example.com/mcp",
                     *       "transport": "streamable-http",
                     *       "auth": {
                     *         "type": "headerInjection",
                     *         "header_injection": {
                     *           "header_name": "X-Api-Key"
                     *         }
                     *       },
                     *       "allow_private_ips": true,
                     *       "deployment_mode": "kubernetes",
                     *       "origin": "manual",
                     *       "description": "Issues, pull requests and code of our organisation",
                     *       "icon_url": "https://example.com/icon.png",
                     *       "repository_url": "https://github.com/example/mcp",
                     *       "support_url": "https://example.com/support",
                     *       "version": "1.4.0",
                     *       "source_name": "github-mcp",
                     *       "source_namespace": "mcp",
                     *       "status": "draft",
                     *       "status_message": "the endpoint answers",
                     *       "created_at": "2026-03-02T09:30:00Z",
                     *       "updated_at": "2026-03-04T16:05:12Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Connector"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "gateway_id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no connector with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Metering_ofCaller: {
        parameters: {
            query: {
                /**
                 * @description Id of the connector gateway
                 * @example local
                 */
                gateway_id: string;
                outcome?: "ok" | "error";
                decision?: "allowed" | "denied";
                /** @description Earliest time, inclusive */
                start?: string;
                /** @description Latest time, exclusive */
                end?: string;
                /** @example 0197a3c2-c08c-76ac-afff-81cafe379f88 */
                connector_id: string;
                /** @description Cursor of the next page, from `next_cursor` */
                cursor?: string;
                /** @description Cursor of the previous page, from `prev_cursor`; not together with `cursor` */
                before?: string;
                /** @description Entries on a page; larger values count as the maximum */
                limit?: number;
            };
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "records": [
                     *         {
                     *           "call_id": "0197a3c2-7edb-7360-af06-acaef2cc80db",
                     *           "occurred_at": "2026-03-04T16:05:12Z",
                     *           "gateway_id": "local",
                     *           "environment": "production",
                     *           "connector_id": "0197a3c2-c08c-76ac-afff-81cafe379f88",
                     *           "connector_name": "GitHub",
                     *           "tool_name": "create_issue",
                     *           "user_id": "0197a3c2-04f8-7996-ada7-63b7a969b102",
                     *           "user_email": "alice@example.com",
                     *           "groups": [
                     *             {
                     *               "id": "0197a3c2-ad93-76fc-abed-631fa67e05c3",
                     *               "name": "data-platform"
                     *             }
                     *           ],
                     *           "decision": "allowed",
                     *           "outcome": "ok",
                     *           "category": "invocation",
                     *           "billable": true,
                     *           "billable_reason": "invocation",
                     *           "definition_version": "9f86d081884c",
                     *           "duration_ms": 184,
                     *           "arguments_sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                     *         }
                     *       ],
                     *       "next_cursor": "eyJwIjpbIjIwMjYtMDMtMDIiXX0.c2lnbmVk"
                     *     }
                     */
                    "application/json": components["schemas"]["ToolCallActivity"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "limit: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no call with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Metering_ofConnector: {
        parameters: {
            query: {
                /**
                 * @description Id of the connector gateway
                 * @example local
                 */
                gateway_id: string;
                outcome?: "ok" | "error";
                decision?: "allowed" | "denied";
                /** @description Earliest time, inclusive */
                start?: string;
                /** @description Latest time, exclusive */
                end?: string;
                /** @description Only calls of this person */
                user_id?: string;
                /** @description Cursor of the next page, from `next_cursor` */
                cursor?: string;
                /** @description Cursor of the previous page, from `prev_cursor`; not together with `cursor` */
                before?: string;
                /** @description Entries on a page; larger values count as the maximum */
                limit?: number;
            };
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-c08c-76ac-afff-81cafe379f88 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "records": [
                     *         {
                     *           "call_id": "0197a3c2-7edb-7360-af06-acaef2cc80db",
                     *           "occurred_at": "2026-03-04T16:05:12Z",
                     *           "gateway_id": "local",
                     *           "environment": "production",
                     *           "connector_id": "0197a3c2-c08c-76ac-afff-81cafe379f88",
                     *           "connector_name": "GitHub",
                     *           "tool_name": "create_issue",
                     *           "user_id": "0197a3c2-04f8-7996-ada7-63b7a969b102",
                     *           "user_email": "alice@example.com",
                     *           "groups": [
                     *             {
                     *               "id": "0197a3c2-ad93-76fc-abed-631fa67e05c3",
                     *               "name": "data-platform"
                     *             }
                     *           ],
                     *           "decision": "allowed",
                     *           "outcome": "ok",
                     *           "category": "invocation",
                     *           "billable": true,
                     *           "billable_reason": "invocation",
                     *           "definition_version": "9f86d081884c",
                     *           "duration_ms": 184,
                     *           "arguments_sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                     *         }
                     *       ],
                     *       "next_cursor": "eyJwIjpbIjIwMjYtMDMtMDIiXX0.c2lnbmVk"
                     *     }
                     */
                    "application/json": components["schemas"]["ToolCallActivity"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "limit: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no call with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    ScimTokens_list: {
        parameters: {
            query?: {
                issuer_id?: string;
                /** @description Cursor of the next page, from `next_cursor` */
                cursor?: string;
                /** @description Cursor of the previous page, from `prev_cursor`; not together with `cursor` */
                before?: string;
                /** @description Entries on a page; larger values count as the maximum */
                limit?: number;
            };
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0197a3c2-3c46-79e9-ad6c-5875d37a43f3",
                     *           "issuer_id": "corporate",
                     *           "name": "example",
                     *           "state": "active",
                     *           "scim_url": "https://example.com/path",
                     *           "previous_secret_valid_until": "2026-03-02T09:30:00Z",
                     *           "expires_at": "2026-09-01T00:00:00Z",
                     *           "revoked_at": "2026-03-04T16:05:12Z",
                     *           "last_used_at": "2026-03-04T16:05:12Z",
                     *           "created_by": {
                     *             "issuer": "https://id.example.com",
                     *             "subject": "00u1f4c2k7"
                     *           },
                     *           "created_at": "2026-03-02T09:30:00Z",
                     *           "updated_at": "2026-03-04T16:05:12Z"
                     *         }
                     *       ],
                     *       "next_cursor": "eyJwIjpbIjIwMjYtMDMtMDIiXX0.c2lnbmVk"
                     *     }
                     */
                    "application/json": components["schemas"]["ScimTokenPage"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "limit: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    ScimTokens_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "issuer_id": "corporate",
                 *       "name": "example",
                 *       "expires_at": "2026-09-01T00:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["ScimTokenCreate"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description Where the created object is */
                    Location?: string;
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0197a3c2-2bb8-70d5-a37b-1da3e38bd303",
                     *       "issuer_id": "corporate",
                     *       "name": "github-token",
                     *       "state": "active",
                     *       "scim_url": "https://example.com/path",
                     *       "previous_secret_valid_until": "2026-03-02T09:30:00Z",
                     *       "expires_at": "2026-09-01T00:00:00Z",
                     *       "revoked_at": "2026-03-04T16:05:12Z",
                     *       "last_used_at": "2026-03-04T16:05:12Z",
                     *       "created_by": {
                     *         "issuer": "https://id.example.com",
                     *         "subject": "00u1f4c2k7"
                     *       },
                     *       "created_at": "2026-03-02T09:30:00Z",
                     *       "updated_at": "2026-03-04T16:05:12Z",
                     *       "secret": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["ScimTokenWithSecret"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "issuer_id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The body is larger than the operation takes (1 MiB; batches 8 MiB). */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "body: is larger than this operation takes"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The body is not of a content type that the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Content-Type: must be application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The request is well-formed, and a rule refuses what it asks for. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "a rule does not allow what this asks for"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    ScimTokens_get: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag that the client has; 304 when it is still the state */
                "If-None-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-3c46-79e9-ad6c-5875d37a43f3 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0197a3c2-3c46-79e9-ad6c-5875d37a43f3",
                     *       "issuer_id": "corporate",
                     *       "name": "example",
                     *       "state": "active",
                     *       "scim_url": "https://example.com/path",
                     *       "previous_secret_valid_until": "2026-03-02T09:30:00Z",
                     *       "expires_at": "2026-09-01T00:00:00Z",
                     *       "revoked_at": "2026-03-04T16:05:12Z",
                     *       "last_used_at": "2026-03-04T16:05:12Z",
                     *       "created_by": {
                     *         "issuer": "https://id.example.com",
                     *         "subject": "00u1f4c2k7"
                     *       },
                     *       "created_at": "2026-03-02T09:30:00Z",
                     *       "updated_at": "2026-03-04T16:05:12Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ScimToken"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no token with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    ScimTokens_revoke: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the state that the change is meant for */
                "If-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-3c46-79e9-ad6c-5875d37a43f3 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no token with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description `If-Match` names a state that is no longer the current one: somebody was faster. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the object was changed since it was read: read it again"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    ScimTokens_rotate: {
        parameters: {
            query?: {
                /** @description How long the old secret goes on working; 0 ends it at once */
                grace_seconds?: number;
            };
            header?: {
                /** @description ETag of the state that the change is meant for */
                "If-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-3c46-79e9-ad6c-5875d37a43f3 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0197a3c2-2bb8-70d5-a37b-1da3e38bd303",
                     *       "issuer_id": "corporate",
                     *       "name": "github-token",
                     *       "state": "active",
                     *       "scim_url": "https://example.com/path",
                     *       "previous_secret_valid_until": "2026-03-02T09:30:00Z",
                     *       "expires_at": "2026-09-01T00:00:00Z",
                     *       "revoked_at": "2026-03-04T16:05:12Z",
                     *       "last_used_at": "2026-03-04T16:05:12Z",
                     *       "created_by": {
                     *         "issuer": "https://id.example.com",
                     *         "subject": "00u1f4c2k7"
                     *       },
                     *       "created_at": "2026-03-02T09:30:00Z",
                     *       "updated_at": "2026-03-04T16:05:12Z",
                     *       "secret": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["ScimTokenWithSecret"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "grace_seconds: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no rotate with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The state of the object, or of one that is tied to it, does not allow the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the state of the object does not allow this"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description `If-Match` names a state that is no longer the current one: somebody was faster. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the object was changed since it was read: read it again"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    SigningKeys_list: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "kid": "2026-03-signing",
                     *           "state": "next",
                     *           "created_at": "2026-03-02T09:30:00Z",
                     *           "activated_at": "2026-03-04T16:05:12Z",
                     *           "retired_at": "2026-03-04T16:05:12Z",
                     *           "shown_until": "2026-03-02T09:30:00Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SigningKeyList"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "body: must be an object"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    SigningKeys_rotate: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "kid": "2026-03-signing",
                     *           "state": "next",
                     *           "created_at": "2026-03-02T09:30:00Z",
                     *           "activated_at": "2026-03-04T16:05:12Z",
                     *           "retired_at": "2026-03-04T16:05:12Z",
                     *           "shown_until": "2026-03-02T09:30:00Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SigningKeyList"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "body: must be an object"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The state of the object, or of one that is tied to it, does not allow the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the state of the object does not allow this"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    SigningKeys_withdraw: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /**
                 * @description Id of the key in the key set (RFC 7638 thumbprint)
                 * @example n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg
                 */
                kid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "kid: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no key with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Users_list: {
        parameters: {
            query?: {
                /** @description Exact address; case does not matter */
                email?: string;
                /** @description Exact name; case does not matter */
                user_name?: string;
                /** @description For example `scim` */
                source?: string;
                active?: boolean;
                /** @description Part of display name, user name or e-mail; case does not matter */
                search?: string;
                /** @description Cursor of the next page, from `next_cursor` */
                cursor?: string;
                /** @description Cursor of the previous page, from `prev_cursor`; not together with `cursor` */
                before?: string;
                /** @description Entries on a page; larger values count as the maximum */
                limit?: number;
            };
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0197a3c2-04f8-7996-ada7-63b7a969b102",
                     *           "user_name": "alice",
                     *           "display_name": "Alice Moreau",
                     *           "email": "alice@example.com",
                     *           "photo_url": "https://example.com/alice.png",
                     *           "source": "config",
                     *           "active": true,
                     *           "created_at": "2026-03-02T09:30:00Z",
                     *           "updated_at": "2026-03-04T16:05:12Z"
                     *         }
                     *       ],
                     *       "next_cursor": "eyJwIjpbIjIwMjYtMDMtMDIiXX0.c2lnbmVk"
                     *     }
                     */
                    "application/json": components["schemas"]["UserPage"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "limit: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Users_get: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag that the client has; 304 when it is still the state */
                "If-None-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-04f8-7996-ada7-63b7a969b102 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0197a3c2-04f8-7996-ada7-63b7a969b102",
                     *       "user_name": "alice",
                     *       "display_name": "Alice Moreau",
                     *       "email": "alice@example.com",
                     *       "photo_url": "https://example.com/alice.png",
                     *       "source": "config",
                     *       "active": true,
                     *       "created_at": "2026-03-02T09:30:00Z",
                     *       "updated_at": "2026-03-04T16:05:12Z"
                     *     }
                     */
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no user with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    UserGroups_list: {
        parameters: {
            query?: {
                /** @description Cursor of the next page, from `next_cursor` */
                cursor?: string;
                /** @description Cursor of the previous page, from `prev_cursor`; not together with `cursor` */
                before?: string;
                /** @description Entries on a page; larger values count as the maximum */
                limit?: number;
            };
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-04f8-7996-ada7-63b7a969b102 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0197a3c2-ad93-76fc-abed-631fa67e05c3",
                     *           "name": "data-platform",
                     *           "display_name": "Data platform",
                     *           "description": "People who run the data platform",
                     *           "source": "local",
                     *           "transitive_member_count": 42,
                     *           "created_at": "2026-03-02T09:30:00Z",
                     *           "updated_at": "2026-03-04T16:05:12Z"
                     *         }
                     *       ],
                     *       "next_cursor": "eyJwIjpbIjIwMjYtMDMtMDIiXX0.c2lnbmVk"
                     *     }
                     */
                    "application/json": components["schemas"]["GroupPage"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "limit: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no group with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    UserKeys_list: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-04f8-7996-ada7-63b7a969b102 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "id": "k7m2p4qx",
                     *           "name": "laptop of alice",
                     *           "prefix": "text",
                     *           "status": "active",
                     *           "owner_ref": "text",
                     *           "created_by": "text",
                     *           "created_at": "2026-03-02T09:30:00Z",
                     *           "expires_at": "2026-09-01T00:00:00Z",
                     *           "last_used_at": "2026-03-04T16:05:12Z",
                     *           "previous_secret_valid_until": "2026-03-02T09:30:00Z",
                     *           "metadata": {
                     *             "example": "text"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["KeyList"];
                };
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no key with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    UserKeys_disable: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-04f8-7996-ada7-63b7a969b102 */
                id: string;
                /** @example k7m2p4qx */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no disable with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The state of the object, or of one that is tied to it, does not allow the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the state of the object does not allow this"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    UserKeys_enable: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-04f8-7996-ada7-63b7a969b102 */
                id: string;
                /** @example k7m2p4qx */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no enable with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The state of the object, or of one that is tied to it, does not allow the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the state of the object does not allow this"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    UserMetadata_get: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag that the client has; 304 when it is still the state */
                "If-None-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-04f8-7996-ada7-63b7a969b102 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entity_id": "0197a3c2-bca3-7685-afea-8acd4e4b5c14",
                     *       "entity_kind": "user",
                     *       "metadata": {
                     *         "example": "text"
                     *       },
                     *       "created_at": "2026-03-02T09:30:00Z",
                     *       "updated_at": "2026-03-04T16:05:12Z"
                     *     }
                     */
                    "application/json": components["schemas"]["EntityMetadata"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    /** @description Tag of the state that was read, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no metadata with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    UserMetadata_put: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the state that the change is meant for */
                "If-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-04f8-7996-ada7-63b7a969b102 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "example": "text"
                 *     }
                 */
                "application/json": components["schemas"]["MetadataDocument"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "example: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no metadata with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description `If-Match` names a state that is no longer the current one: somebody was faster. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the object was changed since it was read: read it again"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The body is larger than the operation takes (1 MiB; batches 8 MiB). */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "body: is larger than this operation takes"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The body is not of a content type that the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Content-Type: must be application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    UserMetadata_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the state that the change is meant for */
                "If-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-04f8-7996-ada7-63b7a969b102 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Body, path, query, header or cursor do not have the required form; the sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description No access token, or one that is expired, meant for somebody else or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this operation needs an access token"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The token is good, and its roles do not reach. It is on record. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "caller is not a directory admin"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description There is no such object, or it is another caller’s: both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no metadata with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description `If-Match` names a state that is no longer the current one: somebody was faster. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the object was changed since it was read: read it again"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that nobody expected. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "something went wrong; the log has the cause under this request id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Something that the service needs is down or not configured. */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the database cannot be reached"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
}
