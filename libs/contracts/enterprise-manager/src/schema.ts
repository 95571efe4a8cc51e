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
         * @description The keys that verify what this service signs.
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
         * @description The person that a token speaks of.
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
        /** @description Where a client begins */
        ClientBootstrapDiscovery: {
            /** @description OpenID provider to sign in at */
            issuer: string;
            /** @description Public client to sign in with */
            client_id: string;
            scopes_supported: string[];
            /** @description Where the signed configuration is served */
            config_endpoint: string;
            /** @description Keys that verify the signed configuration */
            jwks_uri: string;
            oauth_protected_resource: string;
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
        /** @description How the gateway authenticates to the upstream */
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
        /** @description How the gateway authenticates to the upstream */
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
            subject: string;
            active: boolean;
            /** @description Ids of all groups that hold the person, directly or through subgroups */
            groups: string[];
            connections: components["schemas"]["EntitledConnection"][];
            /** @description Changes with everything else in here */
            version: string;
        };
        /** @description Why a request failed */
        FailureBody: {
            /** @description One readable sentence */
            error: string;
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
        /** @description JSON Web Key Set (RFC 7517) */
        JWKS: {
            keys: {
                [key: string]: unknown;
            }[];
        };
        /** @description A key of a Secret in the cluster */
        KubernetesSecretRef: {
            name: string;
            namespace: string;
            key: string;
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
            scopes_supported: string[];
        };
        /** @description Which AWS role a claim leads to */
        RoleMapping: {
            claim?: string;
            matcher?: string;
            priority?: number;
            role_arn?: string;
        };
        /** @description Where a secret value lies: exactly one of the two */
        SecretRef: {
            /** Format: uuid */
            managed_secret_id?: string;
            kubernetes_secret?: components["schemas"]["KubernetesSecretRef"];
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
                    "application/json": components["schemas"]["ClientBootstrapDiscovery"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
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
                    "application/json": components["schemas"]["JWKS"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
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
                    "application/json": components["schemas"]["ProtectedResourceMetadata"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
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
                gateway_id: string;
                user_id: string;
                connector_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                    "application/json": components["schemas"]["Connection"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
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
                gateway_id: string;
                user_id: string;
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
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    GatewayCalls_ofPerson: {
        parameters: {
            query: {
                issuer: string;
                subject: string;
            };
            header?: {
                /** @description ETag that the client has; 304 when it is still the state */
                "If-None-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
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
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
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
                gateway_id: string;
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
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
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
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
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
                gateway_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                    "application/json": components["schemas"]["ToolCallReceipts"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
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
                    "application/json": components["schemas"]["HealthBody"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
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
                    "application/json": components["schemas"]["HealthBody"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
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
                    "application/json": components["schemas"]["AuditEventPage"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
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
                    "application/json": components["schemas"]["Connection"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
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
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Policies_replaceGroups: {
        parameters: {
            query?: never;
            header: {
                /** @description ETag of the state that the change is meant for */
                "If-Match": string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                    "application/json": components["schemas"]["ConnectorPolicy"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Precondition Failed */
            412: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Precondition Required */
            428: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
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
                id: string;
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
                    "application/json": components["schemas"]["ConnectorPolicy"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Precondition Failed */
            412: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
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
                    "application/json": components["schemas"]["ConnectorPage"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
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
                gateway_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                    "application/json": components["schemas"]["Connector"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
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
                gateway_id: string;
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
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
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
                gateway_id: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                    "application/json": components["schemas"]["Connector"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Precondition Failed */
            412: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
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
                gateway_id: string;
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
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Precondition Failed */
            412: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
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
                gateway_id: string;
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
                    "application/json": components["schemas"]["ConnectionPage"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
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
                    "application/json": components["schemas"]["GroupPage"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
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
                    "application/json": components["schemas"]["Group"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
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
                group_id: string;
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
                    "application/json": components["schemas"]["Group"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Precondition Failed */
            412: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
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
                group_id: string;
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
                    "application/json": components["schemas"]["Group"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Precondition Failed */
            412: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
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
                group_id: string;
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
                    "application/json": components["schemas"]["Group"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Precondition Failed */
            412: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
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
                group_id: string;
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
                    "application/json": components["schemas"]["Group"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Precondition Failed */
            412: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
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
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
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
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Precondition Failed */
            412: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
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
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                    "application/json": components["schemas"]["Group"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Precondition Failed */
            412: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
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
                    "application/json": components["schemas"]["GroupMembers"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
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
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
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
                    "application/json": components["schemas"]["ConnectionPage"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
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
                    "application/json": components["schemas"]["Connection"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
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
                    "application/json": components["schemas"]["Connection"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
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
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
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
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                    "application/json": components["schemas"]["Connection"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
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
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                    "application/json": components["schemas"]["Connection"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
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
                    "application/json": components["schemas"]["ConnectorPage"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
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
                gateway_id: string;
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
                    "application/json": components["schemas"]["Connector"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Metering_ofCaller: {
        parameters: {
            query: {
                /** @description Id of the connector gateway */
                gateway_id: string;
                outcome?: "ok" | "error";
                decision?: "allowed" | "denied";
                /** @description Earliest time, inclusive */
                start?: string;
                /** @description Latest time, exclusive */
                end?: string;
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
                    "application/json": components["schemas"]["ToolCallActivity"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Metering_ofConnector: {
        parameters: {
            query: {
                /** @description Id of the connector gateway */
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
                    "application/json": components["schemas"]["ToolCallActivity"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
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
                    "application/json": components["schemas"]["UserPage"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Users_get: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
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
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
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
                    "application/json": components["schemas"]["GroupPage"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    /** @description Where to get an access token (RFC 9728) */
                    "WWW-Authenticate"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    /** @description Seconds until another try makes sense */
                    "Retry-After"?: string;
                    /** @description Id of the request, as sent or made */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
}
