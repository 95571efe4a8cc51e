// Generated from deploy/crds by `npm run contracts`. Do not edit.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /** @description The desired configuration of the gateway. */
    readonly AIGatewaySpec: {
      /** @description The ports on which the gateway accepts requests. Without listeners, the gateway uses the port of its deployment. */
      readonly listeners?: readonly components['schemas']['Listener'][];
      readonly auth: components['schemas']['GatewayAuth'];
      /** @default {} */
      readonly virtualKeys: components['schemas']['VirtualKeys'];
      /** @description The model providers to which routes can send requests. */
      readonly providers?: readonly components['schemas']['Provider'][];
      /** @description The models of the gateway and their backends. Of several routes for one model, the first applies. */
      readonly routes?: readonly components['schemas']['Route'][];
      readonly defaultRoute?: components['schemas']['DefaultRoute'];
      readonly limits?: components['schemas']['GatewayLimits'];
      readonly guardrails?: components['schemas']['Guardrails'];
      readonly webhooks?: components['schemas']['GatewayWebhooks'];
    };
    /** @description The result of the last examination of the gateway. */
    readonly AIGatewayStatus: {
      /**
       * Format: int64
       * @description The metadata.generation of the gateway that was examined.
       */
      readonly observedGeneration?: number;
      /** @description The conditions of the gateway. Accepted says whether the gateway can use this resource. ResolvedRefs says whether each backend names a provider of the gateway. */
      readonly conditions?: readonly components['schemas']['Condition'][];
    };
    /** @description The models that the policy grants, and the matchers of its principals. */
    readonly AIPolicySpec: {
      readonly gatewayRef: components['schemas']['GatewayRef'];
      /** @description A description for administrators. */
      readonly description?: string;
      /** @description The policy applies to a principal that one of these matchers matches. */
      readonly principalMatchers: readonly components['schemas']['PrincipalMatcher'][];
      readonly mcpPolicy?: components['schemas']['McpPolicy'];
      /** @description The models that the policy grants, in named groups. Limits in money are budgets of the enterprise manager. */
      readonly budgets?: readonly components['schemas']['PolicyBudget'][];
    };
    /** @description The result of the last examination of the policy. */
    readonly AIPolicyStatus: {
      /**
       * Format: int64
       * @description The metadata.generation of the policy that was examined.
       */
      readonly observedGeneration?: number;
      /** @description The name of the security policy that carries the matchers. It is empty without one. */
      readonly appliedToSecurityPolicy?: string;
      /** @description The conditions of the policy. Accepted says whether its gateway exists. ResolvedRefs says whether the gateway has a route for each granted model. */
      readonly conditions?: readonly components['schemas']['Condition'][];
    };
    /** @description Deployments of Azure OpenAI, for the kind openai. The model of a backend is the name of a deployment. The credential is an API key. */
    readonly AzurePlatform: {
      /**
       * @description The version of the API, for the query parameter api-version.
       * @example 2024-10-21
       */
      readonly apiVersion: string;
    };
    /** @description A provider that serves the model. */
    readonly Backend: {
      /**
       * @description The name of a provider of the gateway.
       * @example team-a
       */
      readonly provider: string;
      /**
       * @description The name of the model at the provider. Without it, the name in the request stays.
       * @example gpt-5
       */
      readonly model?: string;
      /**
       * @description The name of the model in prices and usage, where the provider has another name for it, such as that of a deployment. Without it, the name at the provider.
       * @example gpt-5
       */
      readonly pricedAs?: string;
      /**
       * Format: int32
       * @description The share of requests among the backends of one priority. A backend with the weight 0 receives no requests.
       * @default 1
       */
      readonly weight: number;
      /**
       * Format: int32
       * @description Backends with the lowest priority receive the requests. Those with the next priority receive them when all of these fail.
       * @default 0
       */
      readonly priority: number;
    };
    /** @description Amazon Bedrock, for the kinds anthropic and openai. The credential is a Bedrock API key, or JSON with accessKeyId, secretAccessKey and an optional sessionToken. */
    readonly BedrockPlatform: {
      /**
       * @description The AWS region of the endpoint, for signatures.
       * @example us-east-1
       */
      readonly region: string;
    };
    /** @description The service that admits requests against the budgets of users. */
    readonly BudgetWebhook: {
      /**
       * @description The address of the service.
       * @example https://login.example.com/path
       */
      readonly url: string;
      /**
       * Format: int32
       * @description The time limit of one call, in seconds.
       * @default 5
       */
      readonly timeoutSeconds: number;
      /**
       * @description What happens when the service does not answer. Closed refuses requests. Open forwards them without admission.
       * @default Closed
       * @enum {string}
       */
      readonly failureMode: 'Closed' | 'Open';
    };
    /** @description One observation about the resource, with the fields of a Kubernetes condition. */
    readonly Condition: {
      /** @description The type of the condition, in CamelCase. */
      readonly type: string;
      /**
       * @description Whether the condition holds.
       * @enum {string}
       */
      readonly status: 'True' | 'False' | 'Unknown';
      /** @description The reason for the status, for programs, in CamelCase. */
      readonly reason: string;
      /** @description The reason for the status, for people. */
      readonly message: string;
      /**
       * @description The time at which the status last changed (RFC 3339).
       * @example 2026-01-31T12:00:00Z
       */
      readonly lastTransitionTime: string;
      /**
       * Format: int64
       * @description The metadata.generation to which the condition applies.
       */
      readonly observedGeneration?: number;
    };
    /** @description The backends of all models without a route. The list of models does not contain them. Without a default route, the gateway refuses such models. */
    readonly DefaultRoute: {
      /** @description The providers that serve the model. */
      readonly backends: readonly components['schemas']['Backend'][];
      readonly timeouts?: components['schemas']['RouteTimeouts'];
    };
    /** @description How callers are authenticated, and which roles they have. */
    readonly GatewayAuth: {
      readonly oidc: components['schemas']['OidcProvider'];
      readonly authz?: components['schemas']['GatewayAuthorization'];
    };
    /** @description The roles of callers. */
    readonly GatewayAuthorization: {
      /** @description The matchers of each role, by its name. A principal has a role when one of its matchers matches. The management API uses the roles authenticated, policyEditor and admin. */
      readonly roles?: {
        readonly [key: string]: readonly components['schemas']['PrincipalMatcher'][];
      };
    };
    /** @description The limits of requests. Without a limit, the setting of the deployment applies. */
    readonly GatewayLimits: {
      /**
       * Format: int64
       * @description The largest size of a request body, in bytes.
       */
      readonly requestBytes?: number;
      /**
       * Format: int32
       * @description The largest number of requests that one replica serves at a time.
       */
      readonly concurrentRequests?: number;
      /**
       * Format: int32
       * @description The largest number of requests of one user, with all keys together, that one replica serves at a time.
       */
      readonly concurrentRequestsPerPrincipal?: number;
      /**
       * Format: int32
       * @description The largest number of requests of one user, with all keys together, that one replica serves in a minute.
       */
      readonly requestsPerMinutePerPrincipal?: number;
      /**
       * Format: int64
       * @description The largest number of tokens of one user, with all keys together, of prompts and answers, that one replica serves in a minute.
       */
      readonly tokensPerMinutePerPrincipal?: number;
    };
    /** @description The AIGateway of the same namespace to which the policy belongs. It cannot be changed. */
    readonly GatewayRef: {
      /**
       * @description The name of the AIGateway.
       * @example team-a.example
       */
      readonly name: string;
    };
    /** @description The services that the gateway calls for each request. */
    readonly GatewayWebhooks: {
      readonly budgets?: components['schemas']['BudgetWebhook'];
    };
    /** @description A service that examines prompts, after the redaction (requestWebhook), or answers (responseWebhook). With responseWebhook, an answer arrives as a whole, also if it is a stream. Calls are signed (Standard Webhooks) with the secret, if there is one. */
    readonly GuardrailWebhook: {
      /**
       * @description The address of the service.
       * @example https://login.example.com/path
       */
      readonly url: string;
      /**
       * Format: int32
       * @description The time limit of one call, in seconds.
       * @default 5
       */
      readonly timeoutSeconds: number;
      /**
       * @description What happens when the service does not answer. Closed refuses the call. Open passes it on unexamined.
       * @default Closed
       * @enum {string}
       */
      readonly failureMode: 'Closed' | 'Open';
      readonly secretRef?: components['schemas']['SecretKeyRef'];
      /**
       * @description The secret of the signatures, as the id of a managed secret of the enterprise manager.
       * @example 0197a3c2-2b9c-71d5-aff2-f15eb4bb768a
       */
      readonly managedSecretId?: string;
    };
    /** @description The examinations of prompts and answers. Without a field, its examination does not take place. */
    readonly Guardrails: {
      readonly redaction?: components['schemas']['RedactionRules'];
      readonly requestWebhook?: components['schemas']['GuardrailWebhook'];
      readonly responseWebhook?: components['schemas']['GuardrailWebhook'];
      readonly promptLogging?: components['schemas']['PromptLogging'];
    };
    /** @description A port on which the gateway accepts requests. */
    readonly Listener: {
      /**
       * @description The name of the listener, unique in the gateway.
       * @example team-a
       */
      readonly name: string;
      /**
       * Format: int32
       * @description The port.
       */
      readonly port: number;
      /**
       * @description The host name of accepted requests, which can begin with the label *. Without it, the listener accepts all host names.
       * @example ai.example.com
       */
      readonly hostname?: string;
    };
    /** @description The MCP servers of the policy. This version stores the field and does not enforce it. */
    readonly McpPolicy: {
      /** @description The names of MCP servers. */
      readonly servers?: readonly string[];
    };
    /** @description The OpenID provider whose access tokens the gateway and its management accept. */
    readonly OidcProvider: {
      /**
       * @description The issuer, exactly as in the claim iss.
       * @example https://login.example.com/path
       */
      readonly issuer: string;
      /** @description The audience that the claim aud must contain. */
      readonly audience: string;
      /**
       * @description The address of the keys of the issuer. Without it, OpenID Connect Discovery finds them.
       * @example https://login.example.com/path
       */
      readonly jwksUri?: string;
    };
    /** @description A named group of granted models. */
    readonly PolicyBudget: {
      /**
       * @description The name of the group, unique in the policy.
       * @example Models of team A
       */
      readonly name: string;
      /** @description The names of the models. The name * grants all models of the gateway. */
      readonly models: readonly string[];
    };
    /** @description Matches a principal whose token has all of these claims. */
    readonly PrincipalMatcher: {
      /** @description The required value of each claim, by the name of the claim or its dotted path, such as realm_access.roles. A claim matches when its value is exactly this text, a list that contains it, or a boolean or an integer whose JSON is this text. */
      readonly claims: {
        readonly [key: string]: string;
      };
    };
    /** @description The logging of prompts. */
    readonly PromptLogging: {
      /**
       * @description Whether prompts are written to the log of the gateway, at most 32 KiB of each, after the redaction. Whoever reads the log then reads the prompts.
       * @default false
       */
      readonly enabled: boolean;
    };
    /** @description A model provider. It has at most one of secretRef and managedSecretId; without them, its requests have no credential. */
    readonly Provider: {
      /**
       * @description The name of the provider, unique in the gateway.
       * @example team-a
       */
      readonly name: string;
      /**
       * @description The wire format of the provider. It also selects the prices of its models.
       * @enum {string}
       */
      readonly kind: 'openai' | 'anthropic' | 'google';
      /**
       * @description The origin of the provider, such as https://api.openai.com, without a path.
       * @example https://api.openai.com
       */
      readonly endpoint: string;
      /**
       * @description The path that precedes the path of each request, such as /openai/v1. The default is /v1 for openai and anthropic, and /v1beta for google.
       * @example /openai/v1
       */
      readonly pathPrefix?: string;
      readonly platform?: components['schemas']['ProviderPlatform'];
      readonly secretRef?: components['schemas']['SecretKeyRef'];
      /**
       * @description The credential of the provider, as the id of a managed secret of the enterprise manager. GATEWAYS of the enterprise manager must list the id for the gateway.
       * @example 0197a3c2-2b9c-71d5-aff2-f15eb4bb768a
       */
      readonly managedSecretId?: string;
    };
    /** @description The cloud platform that serves the models, which has its own paths and credentials. Without it, the provider has the API of the vendor. */
    readonly ProviderPlatform: {
      readonly azure?: components['schemas']['AzurePlatform'];
      readonly bedrock?: components['schemas']['BedrockPlatform'];
      readonly vertex?: components['schemas']['VertexPlatform'];
    };
    /** @description The passages that are replaced by [redacted]. */
    readonly RedactionRules: {
      /** @description Regular expressions of RE2. Their passages in prompts do not reach the provider. */
      readonly patterns: readonly string[];
      /**
       * @description Whether passages of answers are replaced too. An answer then arrives as a whole when it is complete, also if it is a stream.
       * @default false
       */
      readonly responses: boolean;
    };
    /** @description The backends of one model. */
    readonly Route: {
      /**
       * @description The name of the route, for logs and metrics.
       * @example team-a
       */
      readonly name?: string;
      readonly match: components['schemas']['RouteMatch'];
      /** @description The name of the model for people. */
      readonly displayName?: string;
      /**
       * Format: int64
       * @description The size of the context window of the model, in tokens.
       */
      readonly contextWindow?: number;
      /** @description The providers that serve the model. */
      readonly backends: readonly components['schemas']['Backend'][];
      readonly timeouts?: components['schemas']['RouteTimeouts'];
    };
    /** @description The requests to which the route applies. */
    readonly RouteMatch: {
      /**
       * @description The exact name of the model in requests.
       * @example gpt-5
       */
      readonly model: string;
    };
    /** @description The time limits of requests. Without a limit, the setting of the deployment applies. */
    readonly RouteTimeouts: {
      /**
       * Format: int32
       * @description The time to connect to the provider, in seconds.
       */
      readonly connectSeconds?: number;
      /**
       * Format: int32
       * @description The time for the whole request, in seconds.
       */
      readonly requestSeconds?: number;
      /**
       * Format: int32
       * @description The time between two parts of a stream, in seconds.
       */
      readonly streamIdleSeconds?: number;
    };
    /** @description A credential in a Secret of the same namespace. */
    readonly SecretKeyRef: {
      /**
       * @description The name of the Secret.
       * @example team-a.example
       */
      readonly name: string;
      /**
       * @description The key of the credential in the Secret.
       * @example api-key
       */
      readonly key: string;
    };
    /** @description Google Vertex AI, for the kinds google, anthropic and openai. The credential is the key of a service account, as JSON. */
    readonly VertexPlatform: {
      /**
       * @description The id or the number of the Google Cloud project.
       * @example my-project
       */
      readonly project: string;
      /**
       * @description The location of the models, such as us-central1 or global.
       * @example us-central1
       */
      readonly location: string;
    };
    /**
     * @description The virtual API keys of users.
     * @default {}
     */
    readonly VirtualKeys: {
      /**
       * @description Whether the gateway accepts virtual API keys beside access tokens.
       * @default true
       */
      readonly enabled: boolean;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type AIGatewaySpec = components['schemas']['AIGatewaySpec'];
export type AIGatewayStatus = components['schemas']['AIGatewayStatus'];
export type AIPolicySpec = components['schemas']['AIPolicySpec'];
export type AIPolicyStatus = components['schemas']['AIPolicyStatus'];
export type AzurePlatform = components['schemas']['AzurePlatform'];
export type Backend = components['schemas']['Backend'];
export type BedrockPlatform = components['schemas']['BedrockPlatform'];
export type BudgetWebhook = components['schemas']['BudgetWebhook'];
export type Condition = components['schemas']['Condition'];
export type DefaultRoute = components['schemas']['DefaultRoute'];
export type GatewayAuth = components['schemas']['GatewayAuth'];
export type GatewayAuthorization = components['schemas']['GatewayAuthorization'];
export type GatewayLimits = components['schemas']['GatewayLimits'];
export type GatewayRef = components['schemas']['GatewayRef'];
export type GatewayWebhooks = components['schemas']['GatewayWebhooks'];
export type GuardrailWebhook = components['schemas']['GuardrailWebhook'];
export type Guardrails = components['schemas']['Guardrails'];
export type Listener = components['schemas']['Listener'];
export type McpPolicy = components['schemas']['McpPolicy'];
export type OidcProvider = components['schemas']['OidcProvider'];
export type PolicyBudget = components['schemas']['PolicyBudget'];
export type PrincipalMatcher = components['schemas']['PrincipalMatcher'];
export type PromptLogging = components['schemas']['PromptLogging'];
export type Provider = components['schemas']['Provider'];
export type ProviderPlatform = components['schemas']['ProviderPlatform'];
export type RedactionRules = components['schemas']['RedactionRules'];
export type Route = components['schemas']['Route'];
export type RouteMatch = components['schemas']['RouteMatch'];
export type RouteTimeouts = components['schemas']['RouteTimeouts'];
export type SecretKeyRef = components['schemas']['SecretKeyRef'];
export type VertexPlatform = components['schemas']['VertexPlatform'];
export type VirtualKeys = components['schemas']['VirtualKeys'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
