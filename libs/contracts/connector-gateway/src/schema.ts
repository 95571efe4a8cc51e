// Generated from openapi.json by `npm run contracts`. Do not edit.
export interface paths {
    "/.well-known/oauth-protected-resource": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** OAuth protected resource metadata */
        get: operations["protected_resource_metadata"];
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
         * @description The path of `resource` follows the well-known path (RFC 9728); any other path answers 404.
         */
        get: operations["protected_resource_metadata_at"];
        put?: never;
        post?: never;
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
    "/v1/admin/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sessions
         * @description Lists the open sessions of MCP clients at all replicas of the gateway, newest first. A client of the revision 2026-07-28 has no session.
         */
        get: operations["SessionAdministration_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/sessions/{id}": {
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
         * End session
         * @description Ends a session on all replicas within one second: its event streams and running requests end, and its client gets 404 and can begin a new session. To keep a user out, deactivate the user.
         */
        delete: operations["SessionAdministration_end"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/tool-changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tool changes
         * @description Lists the definitions of tools that servers have changed or added since their tools are pinned (`content.tool_pinning` of the settings), newest first.
         */
        get: operations["ToolChanges_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/tool-changes/{id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept tool change
         * @description Accepts a definition for all users. Every replica offers the tool with it within one second. Earlier definitions stay accepted. A rejected definition can be accepted later; an accepted one stays as it is.
         */
        post: operations["ToolChanges_accept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/tool-changes/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject tool change
         * @description Rejects a definition: the tool is not offered with it at any replica, also where changes are only recorded. An accepted definition cannot be rejected any more: 409; the policy of the connector can forbid the tool.
         */
        post: operations["ToolChanges_reject"];
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
         * @description Lists every administrative change at this gateway and every request at its control plane that was answered 403, newest first.
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
    "/v1/users/me/gateway": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the caller's gateway view */
        get: operations["Connectors_view"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/me/gateway/connectors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the caller's connectors */
        get: operations["Connectors_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/me/gateway/connectors/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List every connector's upstream connection status */
        get: operations["Connectors_statuses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/me/gateway/connectors/{connector_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one connector's current state */
        get: operations["Connectors_state"];
        /** Set a connector's enable/disable state */
        put: operations["Connectors_set"];
        post?: never;
        /** Clear a connector's explicit state (revert to default) */
        delete: operations["Connectors_clear"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/me/gateway/connectors/{connector_id}/connect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a connector's upstream connect flow
         * @description Returns the page on which the caller signs in at the provider of the connector. It is 409 for a connector that needs no sign-in. The connection status becomes `connected` at the end.
         */
        post: operations["Connect_begin"];
        /**
         * Disconnect connector
         * @description Revokes the caller’s tokens for the connector at its provider where it can be, and deletes them. Without tokens nothing changes.
         */
        delete: operations["Connect_end"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/me/gateway/connectors/{connector_id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one connector's upstream connection status */
        get: operations["Connectors_status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/me/gateway/connectors/{connector_id}/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List a Connector's Tools */
        get: operations["Connectors_tools"];
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
        /** @description A change, or a request that was answered 403 */
        AuditEvent: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            occurred_at: string;
            /** @description The `X-Request-Id` of the request */
            request_id: string;
            /** @description The issuer of the caller’s token */
            issuer: string;
            /** @description The subject of the caller’s token; `issuer` and `subject` identify the caller */
            subject: string;
            /** @description The caller in the form that budgets, charges and users use */
            subject_id: string;
            /** @description The name of the operation in this reference, for example `Update connector` */
            operation: string;
            /** @description The kind of the changed object */
            object_kind?: string;
            /** @description The changed object, or the object of the refused request */
            object_id?: string;
            /**
             * @description `succeeded`: the change was stored; `forbidden`: the request was answered 403
             * @enum {string}
             */
            outcome: "succeeded" | "forbidden";
            /** @description The names of the changed fields, without values */
            changed_fields: string[];
            /** @description The number of requests; more than one if a caller was refused many times in a short time */
            occurrences: number;
        };
        /** @description Audit events, newest first */
        AuditEventPage: {
            items: components["schemas"]["AuditEvent"][];
            next_cursor?: string;
            prev_cursor?: string;
        };
        /** @description The beginning of a sign-in at the provider of a connector */
        ConnectFlow: {
            /**
             * Format: uri
             * @description Page of the gateway, on which the caller signs in, sees what is connected, and goes to the provider; valid for 10 minutes, for the caller only
             * @example https://gateway.example.com/oauth/connect/eyJhbGciOiJkaXIi
             */
            authorize_url: string;
        };
        /** @description Whether the connector has the credential that it needs */
        ConnectionStatus: {
            /**
             * @description `ready`: the connector needs no credential of the user; `needs_auth`: a credential is missing; `connected`: the user has a credential
             * @enum {string}
             */
            connection_status: "ready" | "needs_auth" | "connected";
            health?: components["schemas"]["ConnectorHealth"];
        };
        /** @description Result of the last probe of the server of the connector, and the time of its last change; absent before the first probe */
        ConnectorHealth: {
            /** @enum {string} */
            status: "reachable" | "unreachable";
            /** Format: date-time */
            since: string;
        };
        /** @description Every connector that the caller may use, by name */
        ConnectorList: {
            connectors: components["schemas"]["ConnectorListItem"][];
        };
        /** @description A connector that the caller may use, with its texts */
        ConnectorListItem: {
            /** @description Id of the connector: a UUID of the enterprise manager; in local mode, the name of the backend */
            connector_id: string;
            /** @example GitHub */
            name: string;
            /** @example Issues, pull requests and code of our organisation */
            description?: string;
            enabled: boolean;
            /**
             * @description `ready`: the connector needs no credential of the user; `needs_auth`: a credential is missing; `connected`: the user has a credential
             * @enum {string}
             */
            connection_status: "ready" | "needs_auth" | "connected";
            /**
             * Format: date-time
             * @description When the user last set the state; absent while the default applies
             */
            updated_at?: string;
        };
        /** @description Whether a connector is enabled for the caller */
        ConnectorState: {
            /** @description Id of the connector: a UUID of the enterprise manager; in local mode, the name of the backend */
            connector_id: string;
            enabled: boolean;
            /**
             * Format: date-time
             * @description When the user last set the state; absent while the default applies
             */
            updated_at?: string;
        };
        /** @description Whether to enable the connector for the caller */
        ConnectorStateWrite: {
            enabled: boolean;
        };
        /** @description The reason for which a request failed */
        FailureBody: {
            /** @description The reason as one sentence */
            error: string;
        };
        /** @description A connector that the caller may use */
        GatewayConnector: {
            /** @description Id of the connector: a UUID of the enterprise manager; in local mode, the name of the backend */
            connector_id: string;
            enabled: boolean;
            /**
             * Format: date-time
             * @description When the user last set the state; absent while the default applies
             */
            updated_at?: string;
            /**
             * @description `ready`: the connector needs no credential of the user; `needs_auth`: a credential is missing; `connected`: the user has a credential
             * @enum {string}
             */
            connection_status: "ready" | "needs_auth" | "connected";
        };
        /** @description The gateway as the caller sees it */
        GatewayView: {
            connectors: components["schemas"]["GatewayConnector"][];
            /** @description Whether the state operations are no longer served here */
            connectors_retired: boolean;
            /**
             * @description Address for MCP clients
             * @example https://gateway.example.com/mcp
             */
            endpoint_url: string;
        };
        /** @description The state of the service */
        HealthBody: {
            [key: string]: string;
        };
        /** @description An open session of an MCP client */
        McpSession: {
            /**
             * Format: uuid
             * @description Id of the session for administrators; its client uses another one, which is a secret
             */
            id: string;
            /** @description Issuer of the user’s token */
            issuer: string;
            /** @description Subject of the user’s token; `issuer` and `subject` identify the user */
            subject: string;
            /** @description Id of the user in the directory */
            user_id?: string;
            /**
             * @description Name of the client, as it calls itself
             * @example inspector
             */
            client_name?: string;
            /** @description Version of the client, as it says */
            client_version?: string;
            /**
             * @description Negotiated revision of MCP
             * @example 2025-11-25
             */
            protocol_version?: string;
            /**
             * @description Slug of the connector of `/mcp/{slug}`; absent for the endpoint of all connectors
             * @example github
             */
            connector?: string;
            /**
             * @description Mode of the endpoint; absent for all tools
             * @enum {string}
             */
            mode?: "search";
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last use, up to ten seconds late
             */
            last_used_at: string;
            /** @description Requests and event streams of the session that this replica serves now; absent if it serves none */
            open_requests?: number;
        };
        /** @description Open sessions, newest first */
        McpSessionPage: {
            items: components["schemas"]["McpSession"][];
            next_cursor?: string;
            prev_cursor?: string;
        };
        /** @description OAuth 2.0 Protected Resource Metadata (RFC 9728) */
        ProtectedResourceMetadata: {
            /** @description Identifier of this API. The `aud` of a token has this value or the audience of the deployment */
            resource: string;
            /** @description Issuers whose access tokens are accepted; absent while there is none */
            authorization_servers?: string[];
            /**
             * @example [
             *       "header"
             *     ]
             */
            bearer_methods_supported: string[];
            /** @description Keys for the verification of signatures of this API; absent if it does not sign */
            jwks_uri?: string;
            /**
             * @example [
             *       "openid",
             *       "profile",
             *       "email"
             *     ]
             */
            scopes_supported: string[];
            /** @description Name of this API */
            resource_name: string;
            /** @description Address of the reference of this API */
            resource_documentation: string;
        };
        /** @description The connection status of one connector */
        StatusItem: {
            /** @description Id of the connector: a UUID of the enterprise manager; in local mode, the name of the backend */
            connector_id: string;
            /**
             * @description `ready`: the connector needs no credential of the user; `needs_auth`: a credential is missing; `connected`: the user has a credential
             * @enum {string}
             */
            connection_status: "ready" | "needs_auth" | "connected";
            health?: components["schemas"]["ConnectorHealth"];
        };
        /** @description The connection status of every connector that the caller may use */
        StatusList: {
            statuses: components["schemas"]["StatusItem"][];
        };
        /** @description A tool that the policy allows, enabled or not */
        Tool: {
            /**
             * @description The upstream's own name; connections use the same name
             * @example create_issue
             */
            name: string;
            /** @example Creates an issue in a repository */
            description?: string;
            /**
             * @description JSON Schema of the arguments
             * @example {
             *       "type": "object",
             *       "properties": {
             *         "title": {
             *           "type": "string"
             *         }
             *       },
             *       "required": [
             *         "title"
             *       ]
             *     }
             */
            input_schema: {
                [key: string]: unknown;
            };
            /** @description Whether the caller can call the tool: the connector and the tool are enabled */
            enabled: boolean;
            /**
             * @description Text of the definition that people may not see. In the description and the schema, its characters are shown as their codes
             * @example [
             *       "invisible_characters"
             *     ]
             */
            hidden_text?: ("control_characters" | "html_comment" | "invisible_characters" | "unsafe_icon")[];
            /** @description A hint of the upstream, which the gateway does not verify */
            read_only_hint?: boolean;
            /** @description A hint of the upstream, which the gateway does not verify */
            destructive_hint?: boolean;
        };
        /** @description A changed or new definition of a tool of a connector */
        ToolChange: {
            /** Format: uuid */
            id: string;
            /** @description Id of the connector */
            connector_id: string;
            /** @description Name of the connector; absent if it exists no more */
            connector_name?: string;
            /**
             * @description The server’s own name of the tool
             * @example create_issue
             */
            tool: string;
            /**
             * @description `new`: the tool had no accepted definition; `changed`: it had the old definition
             * @enum {string}
             */
            kind: "changed" | "new";
            /**
             * @description `pending`: no administrator has decided. Where tools are quarantined, only `accepted` definitions are offered. `rejected` ones are never offered while tools are pinned
             * @enum {string}
             */
            status: "pending" | "accepted" | "rejected";
            /** @description SHA-256 of the new definition as canonical JSON (RFC 8785), in lower-case hex */
            hash: string;
            /** @description The accepted definition when the new one came; absent for a new tool, and if it is too large */
            old_definition?: {
                [key: string]: unknown;
            };
            /** @description The new definition, as the server sent it; absent if it has more than 65,536 bytes */
            new_definition?: {
                [key: string]: unknown;
            };
            /** @description Bytes of the new definition as canonical JSON */
            definition_bytes: number;
            /** @description Earlier undecided definitions of the tool that were dropped, since at most five of a tool are kept */
            superseded: number;
            /** Format: date-time */
            first_seen_at: string;
            /**
             * Format: date-time
             * @description Time of the last list with this definition, while it is undecided; up to five minutes late
             */
            last_seen_at: string;
            /**
             * Format: date-time
             * @description Time of the decision
             */
            decided_at?: string;
            /** @description The administrator, as the token says */
            decided_by?: {
                issuer: string;
                subject: string;
            };
        };
        /** @description Changes of tools, newest first */
        ToolChangePage: {
            items: components["schemas"]["ToolChange"][];
            next_cursor?: string;
            prev_cursor?: string;
        };
        /** @description Every tool of the connector that the caller may use, by name */
        ToolsList: {
            tools: components["schemas"]["Tool"][];
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
    protected_resource_metadata: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the request, 1 to 128 printable ASCII characters; the service creates one if it is missing */
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
                    /** @description Id of the request, sent by the client or created by the service */
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
                     *       "scopes_supported": [
                     *         "openid",
                     *         "profile",
                     *         "email"
                     *       ],
                     *       "resource_name": "Gatehouse",
                     *       "resource_documentation": "https://gatehouse.example.com/api/doc"
                     *     }
                     */
                    "application/json": components["schemas"]["ProtectedResourceMetadata"];
                };
            };
            /** @description The body, the path, the query, a header or a cursor does not have the required form. The sentence names the field. Unknown fields are refused. */
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
            /** @description The object does not exist, or it belongs to another caller. Both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this deployment does not publish protected resource metadata"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The request line and the headers together have more than 16 KiB. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers: are larger than 16 KiB together"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The service failed unexpectedly. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "an unexpected error occurred; report it with the request id 5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    protected_resource_metadata_at: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the request, 1 to 128 printable ASCII characters; the service creates one if it is missing */
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
                    /** @description Id of the request, sent by the client or created by the service */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "resource": "https://example.com/gatehouse",
                     *       "authorization_servers": [
                     *         "https://id.example.com"
                     *       ],
                     *       "bearer_methods_supported": [
                     *         "header"
                     *       ],
                     *       "scopes_supported": [
                     *         "openid",
                     *         "profile",
                     *         "email"
                     *       ],
                     *       "resource_name": "Gatehouse",
                     *       "resource_documentation": "https://gatehouse.example.com/api/doc"
                     *     }
                     */
                    "application/json": components["schemas"]["ProtectedResourceMetadata"];
                };
            };
            /** @description The body, the path, the query, a header or a cursor does not have the required form. The sentence names the field. Unknown fields are refused. */
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
            /** @description The object does not exist, or it belongs to another caller. Both answers are the same. */
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
            /** @description The request line and the headers together have more than 16 KiB. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers: are larger than 16 KiB together"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The service failed unexpectedly. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "an unexpected error occurred; report it with the request id 5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11"
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
                /** @description Id of the request, 1 to 128 printable ASCII characters; the service creates one if it is missing */
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
                    /** @description Id of the request, sent by the client or created by the service */
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
            /** @description The body, the path, the query, a header or a cursor does not have the required form. The sentence names the field. Unknown fields are refused. */
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
            /** @description The request line and the headers together have more than 16 KiB. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers: are larger than 16 KiB together"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The service failed unexpectedly. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "an unexpected error occurred; report it with the request id 5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11"
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
                /** @description Id of the request, 1 to 128 printable ASCII characters; the service creates one if it is missing */
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
                    /** @description Id of the request, sent by the client or created by the service */
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
            /** @description The body, the path, the query, a header or a cursor does not have the required form. The sentence names the field. Unknown fields are refused. */
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
            /** @description The request line and the headers together have more than 16 KiB. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers: are larger than 16 KiB together"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The service failed unexpectedly. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "an unexpected error occurred; report it with the request id 5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description A dependency of the service is unavailable or not configured. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt */
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
    SessionAdministration_list: {
        parameters: {
            query?: {
                /** @description Issuer of the user’s token */
                issuer?: string;
                /** @description Subject of the user’s token */
                subject?: string;
                /** @description Id of the user in the directory */
                user_id?: string;
                /** @description Cursor of the next page, from `next_cursor`; empty for the first page */
                cursor?: string;
                /** @description Cursor of the previous page, from `prev_cursor`; not together with `cursor` */
                before?: string;
                /** @description Largest number of entries on a page; a larger value counts as the maximum */
                limit?: number;
            };
            header?: {
                /** @description Id of the request, 1 to 128 printable ASCII characters; the service creates one if it is missing */
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
                    /** @description Id of the request, sent by the client or created by the service */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0197a3c2-3f3a-7f1e-aceb-bd1410ab417e",
                     *           "issuer": "https://id.example.com",
                     *           "subject": "00u1f4c2k7",
                     *           "user_id": "0197a3c2-04f8-7996-ada7-63b7a969b102",
                     *           "client_name": "inspector",
                     *           "client_version": "text",
                     *           "protocol_version": "2025-11-25",
                     *           "connector": "github",
                     *           "mode": "search",
                     *           "created_at": "2026-03-02T09:30:00Z",
                     *           "last_used_at": "2026-03-04T16:05:12Z",
                     *           "open_requests": 3
                     *         }
                     *       ],
                     *       "next_cursor": "eyJwIjpbIjIwMjYtMDMtMDIiXX0.c2lnbmVk"
                     *     }
                     */
                    "application/json": components["schemas"]["McpSessionPage"];
                };
            };
            /** @description The body, the path, the query, a header or a cursor does not have the required form. The sentence names the field. Unknown fields are refused. */
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
            /** @description The access token is missing, expired, issued for another audience, or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Challenge with the address of the resource metadata (RFC 9728) */
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
            /** @description The access token is valid, but its roles do not allow the operation. The audit trail records the refusal. */
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
            /** @description The request line and the headers together have more than 16 KiB. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers: are larger than 16 KiB together"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The service failed unexpectedly. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "an unexpected error occurred; report it with the request id 5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description A dependency of the service is unavailable or not configured. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt */
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
    SessionAdministration_end: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the request, 1 to 128 printable ASCII characters; the service creates one if it is missing */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-3f3a-7f1e-aceb-bd1410ab417e */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    /** @description Id of the request, sent by the client or created by the service */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body, the path, the query, a header or a cursor does not have the required form. The sentence names the field. Unknown fields are refused. */
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
            /** @description The access token is missing, expired, issued for another audience, or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Challenge with the address of the resource metadata (RFC 9728) */
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
            /** @description The access token is valid, but its roles do not allow the operation. The audit trail records the refusal. */
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
            /** @description The object does not exist, or it belongs to another caller. Both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no session with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The request line and the headers together have more than 16 KiB. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers: are larger than 16 KiB together"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The service failed unexpectedly. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "an unexpected error occurred; report it with the request id 5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description A dependency of the service is unavailable or not configured. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt */
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
    ToolChanges_list: {
        parameters: {
            query?: {
                /** @description Only changes with this status */
                status?: "pending" | "accepted" | "rejected";
                /** @description Only changes of this connector */
                connector_id?: string;
                /** @description Cursor of the next page, from `next_cursor`; empty for the first page */
                cursor?: string;
                /** @description Cursor of the previous page, from `prev_cursor`; not together with `cursor` */
                before?: string;
                /** @description Largest number of entries on a page; a larger value counts as the maximum */
                limit?: number;
            };
            header?: {
                /** @description Id of the request, 1 to 128 printable ASCII characters; the service creates one if it is missing */
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
                    /** @description Id of the request, sent by the client or created by the service */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0197a3c2-12ea-712e-aace-7d655f471ce5",
                     *           "connector_id": "0197a3c2-c08c-76ac-afff-81cafe379f88",
                     *           "connector_name": "text",
                     *           "tool": "create_issue",
                     *           "kind": "changed",
                     *           "status": "pending",
                     *           "hash": "text",
                     *           "old_definition": {
                     *             "example": "text"
                     *           },
                     *           "new_definition": {
                     *             "example": "text"
                     *           },
                     *           "definition_bytes": 3,
                     *           "superseded": 3,
                     *           "first_seen_at": "2026-03-04T16:05:12Z",
                     *           "last_seen_at": "2026-03-04T16:05:12Z",
                     *           "decided_at": "2026-03-04T16:05:12Z",
                     *           "decided_by": {
                     *             "issuer": "https://id.example.com",
                     *             "subject": "00u1f4c2k7"
                     *           }
                     *         }
                     *       ],
                     *       "next_cursor": "eyJwIjpbIjIwMjYtMDMtMDIiXX0.c2lnbmVk"
                     *     }
                     */
                    "application/json": components["schemas"]["ToolChangePage"];
                };
            };
            /** @description The body, the path, the query, a header or a cursor does not have the required form. The sentence names the field. Unknown fields are refused. */
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
            /** @description The access token is missing, expired, issued for another audience, or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Challenge with the address of the resource metadata (RFC 9728) */
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
            /** @description The access token is valid, but its roles do not allow the operation. The audit trail records the refusal. */
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
            /** @description The request line and the headers together have more than 16 KiB. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers: are larger than 16 KiB together"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The service failed unexpectedly. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "an unexpected error occurred; report it with the request id 5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description A dependency of the service is unavailable or not configured. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt */
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
    ToolChanges_accept: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the request, 1 to 128 printable ASCII characters; the service creates one if it is missing */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-12ea-712e-aace-7d655f471ce5 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, sent by the client or created by the service */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0197a3c2-12ea-712e-aace-7d655f471ce5",
                     *       "connector_id": "0197a3c2-c08c-76ac-afff-81cafe379f88",
                     *       "connector_name": "text",
                     *       "tool": "create_issue",
                     *       "kind": "changed",
                     *       "status": "pending",
                     *       "hash": "text",
                     *       "old_definition": {
                     *         "example": "text"
                     *       },
                     *       "new_definition": {
                     *         "example": "text"
                     *       },
                     *       "definition_bytes": 3,
                     *       "superseded": 3,
                     *       "first_seen_at": "2026-03-04T16:05:12Z",
                     *       "last_seen_at": "2026-03-04T16:05:12Z",
                     *       "decided_at": "2026-03-04T16:05:12Z",
                     *       "decided_by": {
                     *         "issuer": "https://id.example.com",
                     *         "subject": "00u1f4c2k7"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ToolChange"];
                };
            };
            /** @description The body, the path, the query, a header or a cursor does not have the required form. The sentence names the field. Unknown fields are refused. */
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
            /** @description The access token is missing, expired, issued for another audience, or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Challenge with the address of the resource metadata (RFC 9728) */
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
            /** @description The access token is valid, but its roles do not allow the operation. The audit trail records the refusal. */
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
            /** @description The object does not exist, or it belongs to another caller. Both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no accept with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The request line and the headers together have more than 16 KiB. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers: are larger than 16 KiB together"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The service failed unexpectedly. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "an unexpected error occurred; report it with the request id 5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description A dependency of the service is unavailable or not configured. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt */
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
    ToolChanges_reject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the request, 1 to 128 printable ASCII characters; the service creates one if it is missing */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-12ea-712e-aace-7d655f471ce5 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, sent by the client or created by the service */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0197a3c2-12ea-712e-aace-7d655f471ce5",
                     *       "connector_id": "0197a3c2-c08c-76ac-afff-81cafe379f88",
                     *       "connector_name": "text",
                     *       "tool": "create_issue",
                     *       "kind": "changed",
                     *       "status": "pending",
                     *       "hash": "text",
                     *       "old_definition": {
                     *         "example": "text"
                     *       },
                     *       "new_definition": {
                     *         "example": "text"
                     *       },
                     *       "definition_bytes": 3,
                     *       "superseded": 3,
                     *       "first_seen_at": "2026-03-04T16:05:12Z",
                     *       "last_seen_at": "2026-03-04T16:05:12Z",
                     *       "decided_at": "2026-03-04T16:05:12Z",
                     *       "decided_by": {
                     *         "issuer": "https://id.example.com",
                     *         "subject": "00u1f4c2k7"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ToolChange"];
                };
            };
            /** @description The body, the path, the query, a header or a cursor does not have the required form. The sentence names the field. Unknown fields are refused. */
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
            /** @description The access token is missing, expired, issued for another audience, or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Challenge with the address of the resource metadata (RFC 9728) */
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
            /** @description The access token is valid, but its roles do not allow the operation. The audit trail records the refusal. */
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
            /** @description The object does not exist, or it belongs to another caller. Both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no reject with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The state of the object, or of a related object, does not allow the change. */
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
            /** @description The request line and the headers together have more than 16 KiB. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers: are larger than 16 KiB together"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The service failed unexpectedly. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "an unexpected error occurred; report it with the request id 5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description A dependency of the service is unavailable or not configured. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt */
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
    Audit_list: {
        parameters: {
            query?: {
                operation?: string;
                issuer?: string;
                subject?: string;
                /** @description The caller, as `subject_id` of a user; not together with `issuer` or `subject` */
                subject_id?: string;
                object_kind?: string;
                object_id?: string;
                outcome?: "succeeded" | "forbidden";
                request_id?: string;
                /** @description Earliest time, inclusive */
                from?: string;
                /** @description Latest time, exclusive */
                to?: string;
                /** @description Cursor of the next page, from `next_cursor`; empty for the first page */
                cursor?: string;
                /** @description Cursor of the previous page, from `prev_cursor`; not together with `cursor` */
                before?: string;
                /** @description Largest number of entries on a page; a larger value counts as the maximum */
                limit?: number;
            };
            header?: {
                /** @description Id of the request, 1 to 128 printable ASCII characters; the service creates one if it is missing */
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
                    /** @description Id of the request, sent by the client or created by the service */
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
                     *           "subject_id": "0197a3c2-a949-71f4-ac1b-f7b0cffbadcb",
                     *           "operation": "text",
                     *           "object_kind": "text",
                     *           "object_id": "0197a3c2-2958-7d41-a6d0-8aa5a472d7b5",
                     *           "outcome": "succeeded",
                     *           "changed_fields": [
                     *             "text"
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
            /** @description The body, the path, the query, a header or a cursor does not have the required form. The sentence names the field. Unknown fields are refused. */
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
            /** @description The access token is missing, expired, issued for another audience, or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Challenge with the address of the resource metadata (RFC 9728) */
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
            /** @description The access token is valid, but its roles do not allow the operation. The audit trail records the refusal. */
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
            /** @description The request line and the headers together have more than 16 KiB. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers: are larger than 16 KiB together"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The service failed unexpectedly. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "an unexpected error occurred; report it with the request id 5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description A dependency of the service is unavailable or not configured. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt */
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
    Connectors_view: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the state that the client has; 304 if the object has not changed since */
                "If-None-Match"?: string;
                /** @description Id of the request, 1 to 128 printable ASCII characters; the service creates one if it is missing */
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
                    /** @description Tag of the returned state, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, sent by the client or created by the service */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "connectors": [
                     *         {
                     *           "connector_id": "0197a3c2-c08c-76ac-afff-81cafe379f88",
                     *           "enabled": true,
                     *           "updated_at": "2026-03-04T16:05:12Z",
                     *           "connection_status": "ready"
                     *         }
                     *       ],
                     *       "connectors_retired": true,
                     *       "endpoint_url": "https://gateway.example.com/mcp"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayView"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    /** @description Tag of the returned state, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, sent by the client or created by the service */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body, the path, the query, a header or a cursor does not have the required form. The sentence names the field. Unknown fields are refused. */
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
            /** @description The access token is missing, expired, issued for another audience, or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Challenge with the address of the resource metadata (RFC 9728) */
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
            /** @description The access token is valid, but its roles do not allow the operation. The audit trail records the refusal. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "a gateway token cannot do this"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The request line and the headers together have more than 16 KiB. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers: are larger than 16 KiB together"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The service failed unexpectedly. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "an unexpected error occurred; report it with the request id 5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description A dependency of the service is unavailable or not configured. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt */
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
            query?: never;
            header?: {
                /** @description ETag of the state that the client has; 304 if the object has not changed since */
                "If-None-Match"?: string;
                /** @description Id of the request, 1 to 128 printable ASCII characters; the service creates one if it is missing */
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
                    /** @description Tag of the returned state, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, sent by the client or created by the service */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "connectors": [
                     *         {
                     *           "connector_id": "0197a3c2-c08c-76ac-afff-81cafe379f88",
                     *           "name": "GitHub",
                     *           "description": "Issues, pull requests and code of our organisation",
                     *           "enabled": true,
                     *           "connection_status": "ready",
                     *           "updated_at": "2026-03-04T16:05:12Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ConnectorList"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    /** @description Tag of the returned state, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, sent by the client or created by the service */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body, the path, the query, a header or a cursor does not have the required form. The sentence names the field. Unknown fields are refused. */
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
            /** @description The access token is missing, expired, issued for another audience, or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Challenge with the address of the resource metadata (RFC 9728) */
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
            /** @description The access token is valid, but its roles do not allow the operation. The audit trail records the refusal. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "a gateway token cannot do this"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The request line and the headers together have more than 16 KiB. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers: are larger than 16 KiB together"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The service failed unexpectedly. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "an unexpected error occurred; report it with the request id 5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description This deployment does not offer the operation. */
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this deployment does not offer the operation"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description A dependency of the service is unavailable or not configured. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt */
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
    Connectors_statuses: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the state that the client has; 304 if the object has not changed since */
                "If-None-Match"?: string;
                /** @description Id of the request, 1 to 128 printable ASCII characters; the service creates one if it is missing */
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
                    /** @description Tag of the returned state, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, sent by the client or created by the service */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "statuses": [
                     *         {
                     *           "connector_id": "0197a3c2-c08c-76ac-afff-81cafe379f88",
                     *           "connection_status": "ready",
                     *           "health": {
                     *             "status": "reachable",
                     *             "since": "2026-03-02T09:30:00Z"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["StatusList"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    /** @description Tag of the returned state, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, sent by the client or created by the service */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body, the path, the query, a header or a cursor does not have the required form. The sentence names the field. Unknown fields are refused. */
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
            /** @description The access token is missing, expired, issued for another audience, or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Challenge with the address of the resource metadata (RFC 9728) */
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
            /** @description The access token is valid, but its roles do not allow the operation. The audit trail records the refusal. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "a gateway token cannot do this"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The request line and the headers together have more than 16 KiB. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers: are larger than 16 KiB together"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The service failed unexpectedly. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "an unexpected error occurred; report it with the request id 5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description A dependency of the service is unavailable or not configured. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt */
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
    Connectors_state: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the state that the client has; 304 if the object has not changed since */
                "If-None-Match"?: string;
                /** @description Id of the request, 1 to 128 printable ASCII characters; the service creates one if it is missing */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-c08c-76ac-afff-81cafe379f88 */
                connector_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Tag of the returned state, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, sent by the client or created by the service */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "connector_id": "0197a3c2-c08c-76ac-afff-81cafe379f88",
                     *       "enabled": true,
                     *       "updated_at": "2026-03-04T16:05:12Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ConnectorState"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    /** @description Tag of the returned state, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, sent by the client or created by the service */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body, the path, the query, a header or a cursor does not have the required form. The sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "connector_id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The access token is missing, expired, issued for another audience, or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Challenge with the address of the resource metadata (RFC 9728) */
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
            /** @description The access token is valid, but its roles do not allow the operation. The audit trail records the refusal. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "a gateway token cannot do this"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The object does not exist, or it belongs to another caller. Both answers are the same. */
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
            /** @description The request line and the headers together have more than 16 KiB. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers: are larger than 16 KiB together"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The service failed unexpectedly. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "an unexpected error occurred; report it with the request id 5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description This deployment does not offer the operation. */
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this deployment does not offer the operation"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description A dependency of the service is unavailable or not configured. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt */
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
    Connectors_set: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description ETag of the state to change; 412 if the object has changed since
                 * @example "3q2-7wQJ"
                 */
                "If-Match": string;
                /** @description Id of the request, 1 to 128 printable ASCII characters; the service creates one if it is missing */
                "X-Request-Id"?: string;
            };
            path: {
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
                "application/json": components["schemas"]["ConnectorStateWrite"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Tag of the returned state, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, sent by the client or created by the service */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "connector_id": "0197a3c2-c08c-76ac-afff-81cafe379f88",
                     *       "enabled": true,
                     *       "updated_at": "2026-03-04T16:05:12Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ConnectorState"];
                };
            };
            /** @description The body, the path, the query, a header or a cursor does not have the required form. The sentence names the field. Unknown fields are refused. */
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
            /** @description The access token is missing, expired, issued for another audience, or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Challenge with the address of the resource metadata (RFC 9728) */
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
            /** @description The access token is valid, but its roles do not allow the operation. The audit trail records the refusal. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "a gateway token cannot do this"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The object does not exist, or it belongs to another caller. Both answers are the same. */
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
            /** @description `If-Match` names an earlier state: another request changed the object in the meantime. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "If-Match: the object has changed since you read it; read it again"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The body exceeds a limit, which the sentence names. A body has at most 1 MiB, 50,000 values, 50,000 keys and 100 levels. A batch or collection has at most 8 MiB: these counts then apply to each item, a value has at most 1 MiB, an item that is judged separately at most 128 KiB, and an object around the items at most 1,000 members. */
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
            /** @description The operation does not accept the content type of the body. */
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
            /** @description The change needs `If-Match`, which is missing. */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "If-Match: is required; read the object and send its ETag"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The request line and the headers together have more than 16 KiB. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers: are larger than 16 KiB together"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The service failed unexpectedly. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "an unexpected error occurred; report it with the request id 5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description This deployment does not offer the operation. */
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this deployment does not offer the operation"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description A dependency of the service is unavailable or not configured. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt */
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
    Connectors_clear: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description ETag of the state to change; 412 if the object has changed since
                 * @example "3q2-7wQJ"
                 */
                "If-Match": string;
                /** @description Id of the request, 1 to 128 printable ASCII characters; the service creates one if it is missing */
                "X-Request-Id"?: string;
            };
            path: {
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
                    /** @description Id of the request, sent by the client or created by the service */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body, the path, the query, a header or a cursor does not have the required form. The sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "connector_id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The access token is missing, expired, issued for another audience, or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Challenge with the address of the resource metadata (RFC 9728) */
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
            /** @description The access token is valid, but its roles do not allow the operation. The audit trail records the refusal. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "a gateway token cannot do this"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The object does not exist, or it belongs to another caller. Both answers are the same. */
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
            /** @description `If-Match` names an earlier state: another request changed the object in the meantime. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "If-Match: the object has changed since you read it; read it again"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The change needs `If-Match`, which is missing. */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "If-Match: is required; read the object and send its ETag"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The request line and the headers together have more than 16 KiB. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers: are larger than 16 KiB together"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The service failed unexpectedly. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "an unexpected error occurred; report it with the request id 5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description This deployment does not offer the operation. */
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "this deployment does not offer the operation"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description A dependency of the service is unavailable or not configured. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt */
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
    Connect_begin: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the request, 1 to 128 printable ASCII characters; the service creates one if it is missing */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-c08c-76ac-afff-81cafe379f88 */
                connector_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, sent by the client or created by the service */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "authorize_url": "https://gateway.example.com/oauth/connect/eyJhbGciOiJkaXIi"
                     *     }
                     */
                    "application/json": components["schemas"]["ConnectFlow"];
                };
            };
            /** @description The body, the path, the query, a header or a cursor does not have the required form. The sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "connector_id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The access token is missing, expired, issued for another audience, or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Challenge with the address of the resource metadata (RFC 9728) */
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
            /** @description The access token is valid, but its roles do not allow the operation. The audit trail records the refusal. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "a gateway token cannot do this"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The object does not exist, or it belongs to another caller. Both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no connect with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The state of the object, or of a related object, does not allow the change. */
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
            /** @description The request line and the headers together have more than 16 KiB. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers: are larger than 16 KiB together"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The service failed unexpectedly. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "an unexpected error occurred; report it with the request id 5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description A dependency of the service is unavailable or not configured. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt */
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
    Connect_end: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the request, 1 to 128 printable ASCII characters; the service creates one if it is missing */
                "X-Request-Id"?: string;
            };
            path: {
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
                    /** @description Id of the request, sent by the client or created by the service */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body, the path, the query, a header or a cursor does not have the required form. The sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "connector_id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The access token is missing, expired, issued for another audience, or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Challenge with the address of the resource metadata (RFC 9728) */
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
            /** @description The access token is valid, but its roles do not allow the operation. The audit trail records the refusal. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "a gateway token cannot do this"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The object does not exist, or it belongs to another caller. Both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no connect with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The state of the object, or of a related object, does not allow the change. */
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
            /** @description The request line and the headers together have more than 16 KiB. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers: are larger than 16 KiB together"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The service failed unexpectedly. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "an unexpected error occurred; report it with the request id 5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description A dependency of the service is unavailable or not configured. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt */
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
    Connectors_status: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the state that the client has; 304 if the object has not changed since */
                "If-None-Match"?: string;
                /** @description Id of the request, 1 to 128 printable ASCII characters; the service creates one if it is missing */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-c08c-76ac-afff-81cafe379f88 */
                connector_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Tag of the returned state, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, sent by the client or created by the service */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "connection_status": "ready",
                     *       "health": {
                     *         "status": "reachable",
                     *         "since": "2026-03-02T09:30:00Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ConnectionStatus"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    /** @description Tag of the returned state, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Id of the request, sent by the client or created by the service */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body, the path, the query, a header or a cursor does not have the required form. The sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "connector_id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The access token is missing, expired, issued for another audience, or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Challenge with the address of the resource metadata (RFC 9728) */
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
            /** @description The access token is valid, but its roles do not allow the operation. The audit trail records the refusal. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "a gateway token cannot do this"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The object does not exist, or it belongs to another caller. Both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no status with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The request line and the headers together have more than 16 KiB. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers: are larger than 16 KiB together"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The service failed unexpectedly. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "an unexpected error occurred; report it with the request id 5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description A dependency of the service is unavailable or not configured. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt */
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
    Connectors_tools: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the request, 1 to 128 printable ASCII characters; the service creates one if it is missing */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0197a3c2-c08c-76ac-afff-81cafe379f88 */
                connector_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Id of the request, sent by the client or created by the service */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tools": [
                     *         {
                     *           "name": "create_issue",
                     *           "description": "Creates an issue in a repository",
                     *           "input_schema": {
                     *             "type": "object",
                     *             "properties": {
                     *               "title": {
                     *                 "type": "string"
                     *               }
                     *             },
                     *             "required": [
                     *               "title"
                     *             ]
                     *           },
                     *           "enabled": true,
                     *           "read_only_hint": true,
                     *           "destructive_hint": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ToolsList"];
                };
            };
            /** @description The body, the path, the query, a header or a cursor does not have the required form. The sentence names the field. Unknown fields are refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "connector_id: does not have the required form"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The access token is missing, expired, issued for another audience, or not signed by a configured issuer. */
            401: {
                headers: {
                    /** @description Challenge with the address of the resource metadata (RFC 9728) */
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
            /** @description The access token is valid, but its roles do not allow the operation. The audit trail records the refusal. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "a gateway token cannot do this"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The object does not exist, or it belongs to another caller. Both answers are the same. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "there is no tool with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The request line and the headers together have more than 16 KiB. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers: are larger than 16 KiB together"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The service failed unexpectedly. Nothing was changed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "an unexpected error occurred; report it with the request id 5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The answer of an upstream service cannot be used. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "the answer of the upstream cannot be used"
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description A dependency of the service is unavailable or not configured. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt */
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
