// Generated from openapi.json by `npm run contracts`. Do not edit.
export interface paths {
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
        /** @description Whether the connector has the credential that it needs */
        ConnectionStatus: {
            /**
             * @description `ready`: no credential of the person is needed; `needs_auth`: one is needed; `connected`: one is there
             * @enum {string}
             */
            connection_status: "ready" | "needs_auth" | "connected";
        };
        /** @description Every connector that the caller may use, by name */
        ConnectorList: {
            connectors: components["schemas"]["ConnectorListItem"][];
        };
        /** @description A connector that the caller may use, with its texts */
        ConnectorListItem: {
            /**
             * Format: uuid
             * @description Id of the connector in the directory
             */
            connector_id: string;
            name: string;
            description?: string;
            enabled: boolean;
            /**
             * @description `ready`: no credential of the person is needed; `needs_auth`: one is needed; `connected`: one is there
             * @enum {string}
             */
            connection_status: "ready" | "needs_auth" | "connected";
            /**
             * Format: date-time
             * @description When the person last set it; absent while the default holds
             */
            updated_at?: string;
        };
        /** @description Whether a connector is switched on for the caller */
        ConnectorState: {
            /**
             * Format: uuid
             * @description Id of the connector in the directory
             */
            connector_id: string;
            enabled: boolean;
            /**
             * Format: date-time
             * @description When the person last set it; absent while the default holds
             */
            updated_at?: string;
        };
        /** @description Whether the connector shall be switched on for the caller */
        ConnectorStateWrite: {
            enabled: boolean;
        };
        /** @description Why a request failed */
        FailureBody: {
            /** @description One readable sentence */
            error: string;
        };
        /** @description A connector that the caller may use */
        GatewayConnector: {
            /**
             * Format: uuid
             * @description Id of the connector in the directory
             */
            connector_id: string;
            enabled: boolean;
            /**
             * Format: date-time
             * @description When the person last set it; absent while the default holds
             */
            updated_at?: string;
            /**
             * @description `ready`: no credential of the person is needed; `needs_auth`: one is needed; `connected`: one is there
             * @enum {string}
             */
            connection_status: "ready" | "needs_auth" | "connected";
        };
        /** @description The gateway as the caller sees it */
        GatewayView: {
            connectors: components["schemas"]["GatewayConnector"][];
            /** @description Whether the state operations are no longer served here */
            connectors_retired: boolean;
            /** @description Where MCP clients connect */
            endpoint_url: string;
        };
        /** @description State of the service */
        HealthBody: {
            [key: string]: string;
        };
        /** @description The connection status of one connector */
        StatusItem: {
            /**
             * Format: uuid
             * @description Id of the connector in the directory
             */
            connector_id: string;
            /**
             * @description `ready`: no credential of the person is needed; `needs_auth`: one is needed; `connected`: one is there
             * @enum {string}
             */
            connection_status: "ready" | "needs_auth" | "connected";
        };
        /** @description The connection status of every connector that the caller may use */
        StatusList: {
            statuses: components["schemas"]["StatusItem"][];
        };
        /** @description A tool that the caller may use, switched on or not */
        Tool: {
            /** @description The upstream's own name; tool narrowing uses it too */
            name: string;
            description?: string;
            /** @description JSON Schema of the arguments */
            input_schema: {
                [key: string]: unknown;
            };
            /** @description What the upstream says of itself; it proves nothing */
            read_only_hint?: boolean;
            /** @description What the upstream says of itself; it proves nothing */
            destructive_hint?: boolean;
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
    Connectors_view: {
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
                    "application/json": components["schemas"]["GatewayView"];
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
    Connectors_list: {
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
                    "application/json": components["schemas"]["ConnectorList"];
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
            /** @description Not Implemented */
            501: {
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
    Connectors_statuses: {
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
                    "application/json": components["schemas"]["StatusList"];
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
    Connectors_state: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag that the client has; 304 when it is still the state */
                "If-None-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                connector_id: string;
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
                    "application/json": components["schemas"]["ConnectorState"];
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
            /** @description Not Implemented */
            501: {
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
    Connectors_set: {
        parameters: {
            query?: never;
            header: {
                /** @description ETag of the state that the change is meant for */
                "If-Match": string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                connector_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectorStateWrite"];
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
                    "application/json": components["schemas"]["ConnectorState"];
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
            /** @description Not Implemented */
            501: {
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
    Connectors_clear: {
        parameters: {
            query?: never;
            header: {
                /** @description ETag of the state that the change is meant for */
                "If-Match": string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
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
            /** @description Not Implemented */
            501: {
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
    Connectors_status: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag that the client has; 304 when it is still the state */
                "If-None-Match"?: string;
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                connector_id: string;
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
                    "application/json": components["schemas"]["ConnectionStatus"];
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
    Connectors_tools: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 128 printable ASCII characters; made when missing, echoed in the answer */
                "X-Request-Id"?: string;
            };
            path: {
                connector_id: string;
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
                    "application/json": components["schemas"]["ToolsList"];
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
            /** @description Bad Gateway */
            502: {
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
