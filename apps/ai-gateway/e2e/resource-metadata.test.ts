import { describeResourceMetadata } from '@gatehouse/testing/resource-metadata';
import { startWithIssuer } from './support/service.ts';

describeResourceMetadata({ service: 'ai-gateway', path: '/v1/models', start: startWithIssuer });
