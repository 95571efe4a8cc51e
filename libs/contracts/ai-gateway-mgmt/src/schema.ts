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
    "/v1/gateway-status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Return the owning gateway's status
         * @description The condition `Accepted` says whether services can use the AIGateway, and `ResolvedRefs` whether each backend names one of its providers. The status is of the present AIGateway when `observedGeneration` equals `generation`.
         */
        get: operations["GatewayStatus_status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Return the owning gateway's identity */
        get: operations["Gateway_identity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp-servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List all MCP servers visible to the gateway */
        get: operations["McpServers_list"];
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
         * Return the caller's identity and resolved policy bindings
         * @description Shows only policies that match the caller. `*` in a policy grants all models of the routes.
         */
        get: operations["Me_describe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all models visible to the gateway in the current namespace
         * @description The models with a route of their own. The default route is not listed.
         */
        get: operations["Models_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List AIPolicies in the configured namespace
         * @description The policies are sorted by name. A page has at most 8 MiB of policies, and `gatewayRef` leaves policies out after the page was cut, so that a page can have fewer items than `limit`; continue until `nextPageToken` is absent. A page token is valid for 15 minutes, for the same filters and the same caller.
         */
        get: operations["Policies_list"];
        put?: never;
        /**
         * Create a new AIPolicy
         * @description The namespace, the status and the metadata that the server sets are ignored. A repeated name answers 409.
         */
        post: operations["Policies_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policies/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a single AIPolicy by name */
        get: operations["Policies_get"];
        put?: never;
        post?: never;
        /** Delete an AIPolicy */
        delete: operations["Policies_delete"];
        options?: never;
        head?: never;
        /**
         * Update an AIPolicy using JSON merge patch
         * @description A merge patch (RFC 7396) of `spec.description`, `spec.principalMatchers` and `spec.mcpPolicy`. A list replaces the stored list. `status` and `metadata.resourceVersion` are ignored.
         */
        patch: operations["Policies_patch"];
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A policy that grants models of an AI gateway to principals */
        AIPolicy: {
            /** @constant */
            apiVersion?: "gatehouse.dev/v1alpha1";
            /** @constant */
            kind?: "AIPolicy";
            metadata?: components["schemas"]["ObjectMeta"];
            spec: components["schemas"]["AIPolicySpec"];
            status?: components["schemas"]["AIPolicyStatus"];
        };
        /** @description One page of the policies of the namespace, sorted by name */
        AIPolicyList: {
            /** @constant */
            apiVersion: "gatehouse.dev/v1alpha1";
            /** @constant */
            kind: "AIPolicyList";
            items: components["schemas"]["AIPolicy"][];
            /** @description `pageToken` of the next page; absent on the last one */
            nextPageToken?: string;
            /** @description Number of policies after this page; absent on the last page and with a labelSelector */
            remainingItemCount?: number;
        };
        /** @description A JSON merge patch (RFC 7396) of a policy */
        AIPolicyPatch: {
            spec?: components["schemas"]["AIPolicySpecPatch"];
        };
        /** @description The models that the policy grants, and the matchers of its principals. */
        AIPolicySpec: {
            gatewayRef: components["schemas"]["GatewayRef"];
            /** @description A description for administrators. */
            description?: string;
            /** @description The policy applies to a principal that one of these matchers matches. */
            principalMatchers: components["schemas"]["PrincipalMatcher"][];
            mcpPolicy?: components["schemas"]["McpPolicy"];
            /** @description The models that the policy grants, in named groups. Limits in money are budgets of the enterprise manager. */
            budgets?: components["schemas"]["PolicyBudget"][];
        };
        /** @description The fields of a policy that can be patched */
        AIPolicySpecPatch: {
            /** @description A description for administrators. */
            description?: string;
            /** @description The policy applies to a principal that one of these matchers matches. */
            principalMatchers?: components["schemas"]["PrincipalMatcher"][];
            mcpPolicy?: components["schemas"]["McpPolicy"];
        };
        /** @description The result of the last examination of the policy. */
        AIPolicyStatus: {
            /** @description The metadata.generation of the policy that was examined. */
            observedGeneration?: number;
            /** @description The name of the security policy that carries the matchers. It is empty without one. */
            appliedToSecurityPolicy?: string;
            /** @description The conditions of the policy. Accepted says whether its gateway exists. ResolvedRefs says whether the gateway has a route for each granted model. */
            conditions?: components["schemas"]["Condition"][];
        };
        /** @description The caller, and the policies that match the caller */
        CallerIntrospection: {
            email?: string;
            subject: string;
            /** @description The texts of the claim `groups` */
            groups: string[];
            /** @description Roles of `spec.auth.authz.roles` of the gateway that match, sorted */
            roles: string[];
            /** @description Policies of the gateway that match the caller, sorted by name */
            matchedPolicies: components["schemas"]["MatchedPolicy"][];
            /** @description Models that these policies grant, sorted */
            models: string[];
            /** @description Whether a policy grants all models with `*` */
            unrestrictedModels: boolean;
        };
        /** @description The MCP servers of the gateway; empty in this version */
        CatalogList: {
            items: components["schemas"]["McpServerEntry"][];
        };
        /** @description One observation about the resource, with the fields of a Kubernetes condition. */
        Condition: {
            /** @description The type of the condition, in CamelCase. */
            type: string;
            /**
             * @description Whether the condition holds.
             * @enum {string}
             */
            status: "True" | "False" | "Unknown";
            /** @description The reason for the status, for programs, in CamelCase. */
            reason: string;
            /** @description The reason for the status, for people. */
            message: string;
            /**
             * @description The time at which the status last changed (RFC 3339).
             * @example 2026-01-31T12:00:00Z
             */
            lastTransitionTime: string;
            /** @description The metadata.generation to which the condition applies. */
            observedGeneration?: number;
        };
        /** @description The reason for which a request failed */
        FailureBody: {
            /** @description Machine code */
            error: string;
            requestId: string;
            violations: components["schemas"]["Violation"][];
        };
        /** @description The owning gateway, from the configuration of this instance */
        GatewayIdentity: {
            /** @example ai-gateway */
            name: string;
            /** @example default */
            namespace: string;
        };
        /** @description The AIGateway of the same namespace to which the policy belongs. It cannot be changed. */
        GatewayRef: {
            /**
             * @description The name of the AIGateway.
             * @example team-a.example
             */
            name: string;
        };
        /** @description The owning gateway, and what the service found when it examined it */
        GatewayStatus: {
            /** @example ai-gateway */
            name: string;
            /** @example default */
            namespace: string;
            /** @description `metadata.generation` of the AIGateway: counts the changes of its `spec` */
            generation: number;
            /** @description The metadata.generation of the policy that was examined. */
            observedGeneration?: number;
            /** @description The conditions of the policy. Accepted says whether its gateway exists. ResolvedRefs says whether the gateway has a route for each granted model. */
            conditions?: components["schemas"]["Condition"][];
        };
        /** @description The state of the service */
        HealthBody: {
            [key: string]: string;
        };
        /** @description A policy of the gateway that matches the caller */
        MatchedPolicy: {
            /** @example everyone */
            name: string;
            /** @description A description for administrators. */
            description?: string;
            mcpPolicy?: components["schemas"]["McpPolicy"];
        };
        /** @description The MCP servers of the policy. This version stores the field and does not enforce it. */
        McpPolicy: {
            /** @description The names of MCP servers. */
            servers?: string[];
        };
        /** @description An MCP server of the gateway */
        McpServerEntry: {
            /** @example search */
            name: string;
            description?: string;
            ready?: boolean;
        };
        /** @description A model of the gateway */
        Model: {
            /** @example gpt-5.4 */
            id: string;
            /** @constant */
            object: "model";
            /**
             * @description Time of the creation of the gateway, in seconds since 1970
             * @example 1772445000
             */
            created: number;
            /**
             * @description The kind of the first provider of the model
             * @example openai
             */
            owned_by: string;
            /** @example GPT-5.4 */
            display_name?: string;
            /**
             * @description Size of the context window, in tokens
             * @example 400000
             */
            context_window?: number;
        };
        /** @description The models of the routes of the gateway, each once, sorted by id */
        ModelList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Model"][];
        };
        /** @description Metadata of a resource, with the meaning that Kubernetes gives it */
        ObjectMeta: {
            /**
             * @description DNS-1123 subdomain, unique in the namespace
             * @example everyone
             */
            name?: string;
            /**
             * @description The namespace of this instance; ignored in a request
             * @example default
             */
            namespace?: string;
            labels?: {
                [key: string]: string;
            };
            annotations?: {
                [key: string]: string;
            };
            /**
             * @description Changes with each write; the ETag contains it in double quotes
             * @example 1042
             */
            resourceVersion?: string;
            uid?: string;
            /** @description Counts the changes of `spec` */
            generation?: number;
            creationTimestamp?: string;
            deletionTimestamp?: string;
            deletionGracePeriodSeconds?: number;
        };
        /** @description A named group of granted models. */
        PolicyBudget: {
            /**
             * @description The name of the group, unique in the policy.
             * @example Models of team A
             */
            name: string;
            /** @description The names of the models. The name * grants all models of the gateway. */
            models: string[];
        };
        /** @description Matches a principal whose token has all of these claims. */
        PrincipalMatcher: {
            /** @description The required value of each claim, by the name of the claim or its dotted path, such as realm_access.roles. A claim matches when its value is exactly this text, a list that contains it, or a boolean or an integer whose JSON is this text. */
            claims: {
                [key: string]: string;
            };
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
        Violation: {
            /** @description JSON pointer (RFC 6901) */
            field: string;
            message: string;
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
                     *       "error": "invalid_request",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "not_found",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "invalid_request",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "internal",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "invalid_request",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": [
                     *         {
                     *           "field": "/path",
                     *           "message": "does not have the required form"
                     *         }
                     *       ]
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
                     *       "error": "not_found",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "invalid_request",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "internal",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "invalid_request",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "invalid_request",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "internal",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "invalid_request",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "invalid_request",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "internal",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "upstream_unavailable",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    GatewayStatus_status: {
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
                     *       "name": "ai-gateway",
                     *       "namespace": "default",
                     *       "generation": 3,
                     *       "observedGeneration": 3,
                     *       "conditions": [
                     *         {
                     *           "type": "text",
                     *           "status": "True",
                     *           "reason": "text",
                     *           "message": "text",
                     *           "lastTransitionTime": "2026-01-31T12:00:00Z",
                     *           "observedGeneration": 3
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayStatus"];
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
                     *       "error": "invalid_request",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "unauthenticated",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "forbidden",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The caller has sent too many requests. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next attempt */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "invalid_request",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "internal",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "upstream_unavailable",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Gateway_identity: {
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
                     *       "name": "ai-gateway",
                     *       "namespace": "default"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayIdentity"];
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
                     *       "error": "invalid_request",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "unauthenticated",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "forbidden",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The caller has sent too many requests. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next attempt */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "invalid_request",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "internal",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "upstream_unavailable",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    McpServers_list: {
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
                     *       "items": [
                     *         {
                     *           "name": "search",
                     *           "description": "text",
                     *           "ready": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CatalogList"];
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
                     *       "error": "invalid_request",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "unauthenticated",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "forbidden",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The caller has sent too many requests. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next attempt */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "invalid_request",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "internal",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "upstream_unavailable",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Me_describe: {
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
                     *       "email": "alice@example.com",
                     *       "subject": "00u1f4c2k7",
                     *       "groups": [
                     *         "text"
                     *       ],
                     *       "roles": [
                     *         "text"
                     *       ],
                     *       "matchedPolicies": [
                     *         {
                     *           "name": "everyone",
                     *           "description": "text",
                     *           "mcpPolicy": {}
                     *         }
                     *       ],
                     *       "models": [
                     *         "text"
                     *       ],
                     *       "unrestrictedModels": true
                     *     }
                     */
                    "application/json": components["schemas"]["CallerIntrospection"];
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
                     *       "error": "invalid_request",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "unauthenticated",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "forbidden",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The caller has sent too many requests. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next attempt */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "invalid_request",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "internal",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "upstream_unavailable",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Models_list: {
        parameters: {
            query?: {
                /** @description Another AIGateway of the namespace; default: that of this instance */
                gatewayRef?: string;
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
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "id": "gpt-5.4",
                     *           "object": "model",
                     *           "created": 1772445000,
                     *           "owned_by": "openai",
                     *           "display_name": "GPT-5.4",
                     *           "context_window": 400000
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ModelList"];
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
                     *       "error": "invalid_request",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": [
                     *         {
                     *           "field": "/gatewayRef",
                     *           "message": "does not have the required form"
                     *         }
                     *       ]
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
                     *       "error": "unauthenticated",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "forbidden",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "not_found",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The caller has sent too many requests. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next attempt */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "invalid_request",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "internal",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "upstream_unavailable",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Policies_list: {
        parameters: {
            query?: {
                /** @description Largest number of policies of the page; 0 means the default, and a larger value the maximum */
                limit?: number;
                /** @description `nextPageToken` of the page before; empty for the first page */
                pageToken?: string;
                /** @description Label selector in the syntax of Kubernetes, such as `team=support,tier in (a,b)` */
                labelSelector?: string;
                /** @description Only policies of the gateway with this name */
                gatewayRef?: string;
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
                     *       "apiVersion": "gatehouse.dev/v1alpha1",
                     *       "kind": "AIPolicyList",
                     *       "items": [
                     *         {
                     *           "apiVersion": "gatehouse.dev/v1alpha1",
                     *           "kind": "AIPolicy",
                     *           "metadata": {
                     *             "name": "everyone",
                     *             "namespace": "default",
                     *             "labels": {
                     *               "example": "text"
                     *             },
                     *             "annotations": {
                     *               "example": "text"
                     *             },
                     *             "resourceVersion": "1042",
                     *             "uid": "text",
                     *             "generation": 3,
                     *             "creationTimestamp": "text",
                     *             "deletionTimestamp": "text",
                     *             "deletionGracePeriodSeconds": 3
                     *           },
                     *           "spec": {
                     *             "gatewayRef": {
                     *               "name": "team-a.example"
                     *             },
                     *             "description": "text",
                     *             "principalMatchers": [
                     *               {
                     *                 "claims": {
                     *                   "example": "text"
                     *                 }
                     *               }
                     *             ],
                     *             "mcpPolicy": {}
                     *           },
                     *           "status": {
                     *             "observedGeneration": 3,
                     *             "appliedToSecurityPolicy": "text"
                     *           }
                     *         }
                     *       ],
                     *       "nextPageToken": "text",
                     *       "remainingItemCount": 3
                     *     }
                     */
                    "application/json": components["schemas"]["AIPolicyList"];
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
                     *       "error": "invalid_request",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": [
                     *         {
                     *           "field": "/limit",
                     *           "message": "does not have the required form"
                     *         }
                     *       ]
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
                     *       "error": "unauthenticated",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "forbidden",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The caller has sent too many requests. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next attempt */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "invalid_request",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "internal",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "upstream_unavailable",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Policies_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the request, 1 to 128 printable ASCII characters; the service creates one if it is missing */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "apiVersion": "gatehouse.dev/v1alpha1",
                 *       "kind": "AIPolicy",
                 *       "metadata": {
                 *         "name": "everyone",
                 *         "namespace": "default",
                 *         "labels": {
                 *           "example": "text"
                 *         },
                 *         "annotations": {
                 *           "example": "text"
                 *         },
                 *         "resourceVersion": "1042",
                 *         "uid": "text",
                 *         "generation": 3,
                 *         "creationTimestamp": "text",
                 *         "deletionTimestamp": "text",
                 *         "deletionGracePeriodSeconds": 3
                 *       },
                 *       "spec": {
                 *         "gatewayRef": {
                 *           "name": "team-a.example"
                 *         },
                 *         "description": "text",
                 *         "principalMatchers": [
                 *           {
                 *             "claims": {
                 *               "example": "text"
                 *             }
                 *           }
                 *         ],
                 *         "mcpPolicy": {}
                 *       },
                 *       "status": {
                 *         "observedGeneration": 3,
                 *         "appliedToSecurityPolicy": "text"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AIPolicy"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description Tag of the returned state, for If-Match and If-None-Match */
                    ETag?: string;
                    /** @description Address of the created object */
                    Location?: string;
                    /** @description Id of the request, sent by the client or created by the service */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "apiVersion": "gatehouse.dev/v1alpha1",
                     *       "kind": "AIPolicy",
                     *       "metadata": {
                     *         "name": "everyone",
                     *         "namespace": "default",
                     *         "labels": {
                     *           "example": "text"
                     *         },
                     *         "annotations": {
                     *           "example": "text"
                     *         },
                     *         "resourceVersion": "1042",
                     *         "uid": "text",
                     *         "generation": 3,
                     *         "creationTimestamp": "text",
                     *         "deletionTimestamp": "text",
                     *         "deletionGracePeriodSeconds": 3
                     *       },
                     *       "spec": {
                     *         "gatewayRef": {
                     *           "name": "team-a.example"
                     *         },
                     *         "description": "text",
                     *         "principalMatchers": [
                     *           {
                     *             "claims": {
                     *               "example": "text"
                     *             }
                     *           }
                     *         ],
                     *         "mcpPolicy": {}
                     *       },
                     *       "status": {
                     *         "observedGeneration": 3,
                     *         "appliedToSecurityPolicy": "text"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AIPolicy"];
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
                     *       "error": "invalid_request",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": [
                     *         {
                     *           "field": "/apiVersion",
                     *           "message": "does not have the required form"
                     *         }
                     *       ]
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
                     *       "error": "unauthenticated",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "forbidden",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "already_exists",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "invalid_request",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "invalid_request",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The request is well formed, but a rule does not allow it. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The caller has sent too many requests. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next attempt */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "invalid_request",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "internal",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "upstream_unavailable",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                /** @description ETag of the state that the client has; 304 if the object has not changed since */
                "If-None-Match"?: string;
                /** @description Id of the request, 1 to 128 printable ASCII characters; the service creates one if it is missing */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example text */
                name: string;
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
                     *       "apiVersion": "gatehouse.dev/v1alpha1",
                     *       "kind": "AIPolicy",
                     *       "metadata": {
                     *         "name": "everyone",
                     *         "namespace": "default",
                     *         "labels": {
                     *           "example": "text"
                     *         },
                     *         "annotations": {
                     *           "example": "text"
                     *         },
                     *         "resourceVersion": "1042",
                     *         "uid": "text",
                     *         "generation": 3,
                     *         "creationTimestamp": "text",
                     *         "deletionTimestamp": "text",
                     *         "deletionGracePeriodSeconds": 3
                     *       },
                     *       "spec": {
                     *         "gatewayRef": {
                     *           "name": "team-a.example"
                     *         },
                     *         "description": "text",
                     *         "principalMatchers": [
                     *           {
                     *             "claims": {
                     *               "example": "text"
                     *             }
                     *           }
                     *         ],
                     *         "mcpPolicy": {}
                     *       },
                     *       "status": {
                     *         "observedGeneration": 3,
                     *         "appliedToSecurityPolicy": "text"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AIPolicy"];
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
                     *       "error": "invalid_request",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": [
                     *         {
                     *           "field": "/name",
                     *           "message": "does not have the required form"
                     *         }
                     *       ]
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
                     *       "error": "unauthenticated",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "forbidden",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "not_found",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The caller has sent too many requests. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next attempt */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "invalid_request",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "internal",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "upstream_unavailable",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Policies_delete: {
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
                /** @example text */
                name: string;
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
                     *       "error": "invalid_request",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": [
                     *         {
                     *           "field": "/name",
                     *           "message": "does not have the required form"
                     *         }
                     *       ]
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
                     *       "error": "unauthenticated",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "forbidden",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "not_found",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "precondition_failed",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "precondition_required",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The caller has sent too many requests. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next attempt */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "invalid_request",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "internal",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "upstream_unavailable",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
    Policies_patch: {
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
                /** @example text */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "spec": {
                 *         "description": "text",
                 *         "mcpPolicy": {}
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AIPolicyPatch"];
                /**
                 * @example {
                 *       "spec": {
                 *         "description": "text",
                 *         "mcpPolicy": {}
                 *       }
                 *     }
                 */
                "application/merge-patch+json": components["schemas"]["AIPolicyPatch"];
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
                     *       "apiVersion": "gatehouse.dev/v1alpha1",
                     *       "kind": "AIPolicy",
                     *       "metadata": {
                     *         "name": "everyone",
                     *         "namespace": "default",
                     *         "labels": {
                     *           "example": "text"
                     *         },
                     *         "annotations": {
                     *           "example": "text"
                     *         },
                     *         "resourceVersion": "1042",
                     *         "uid": "text",
                     *         "generation": 3,
                     *         "creationTimestamp": "text",
                     *         "deletionTimestamp": "text",
                     *         "deletionGracePeriodSeconds": 3
                     *       },
                     *       "spec": {
                     *         "gatewayRef": {
                     *           "name": "team-a.example"
                     *         },
                     *         "description": "text",
                     *         "principalMatchers": [
                     *           {
                     *             "claims": {
                     *               "example": "text"
                     *             }
                     *           }
                     *         ],
                     *         "mcpPolicy": {}
                     *       },
                     *       "status": {
                     *         "observedGeneration": 3,
                     *         "appliedToSecurityPolicy": "text"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AIPolicy"];
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
                     *       "error": "invalid_request",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": [
                     *         {
                     *           "field": "/spec",
                     *           "message": "does not have the required form"
                     *         }
                     *       ]
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
                     *       "error": "unauthenticated",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "forbidden",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "not_found",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "precondition_failed",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "invalid_request",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "invalid_request",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The request is well formed, but a rule does not allow it. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "precondition_required",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
            /** @description The caller has sent too many requests. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next attempt */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "invalid_request",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "internal",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
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
                     *       "error": "upstream_unavailable",
                     *       "requestId": "5f1c9a52-2f0e-4f59-9a37-3c1b0a8e7d11",
                     *       "violations": []
                     *     }
                     */
                    "application/json": components["schemas"]["FailureBody"];
                };
            };
        };
    };
}
