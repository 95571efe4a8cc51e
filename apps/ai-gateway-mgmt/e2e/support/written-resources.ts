import type { AIGateway, AIPolicy, NewResource } from '@gatehouse/ai-resources/resource';

/** Resources as a person writes them. */
export type WrittenGateway = NewResource<AIGateway['spec']>;
export type WrittenPolicy = NewResource<AIPolicy['spec']>;
