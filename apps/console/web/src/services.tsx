import { Alert, Anchor, Badge, Card, Group, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { readServices, type ServiceStatus } from './api.ts';

const STATES = {
  ready: { label: 'Ready', color: 'teal' },
  not_ready: { label: 'Not ready', color: 'yellow' },
  down: { label: 'Down', color: 'red' },
} as const;

/** The state of every service, read again every few seconds. */
export function Services() {
  const { data, error, isPending } = useQuery({ queryKey: ['services'], queryFn: readServices, refetchInterval: 3000 });
  const troubled = data?.filter(({ state }) => state !== 'ready') ?? [];
  return (
    <Stack component="section" gap="md" aria-labelledby="services">
      <Group justify="space-between">
        <Title order={2} size="h3" id="services">
          Services
        </Title>
        {data && (
          <Text size="sm" c="dimmed" role="status">
            {troubled.length === 0
              ? 'Everything is running'
              : `${troubled.length} of ${data.length} ${troubled.length === 1 ? 'needs' : 'need'} attention`}
          </Text>
        )}
      </Group>
      {error && (
        <Alert color="red" title="The console’s own server does not answer">
          {error.message}
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2, md: 3 }}>
        {isPending && Array.from({ length: 5 }, (_, index) => <Skeleton key={index} height={112} radius="md" />)}
        {data?.map((service) => (
          <ServiceCard key={service.name} service={service} />
        ))}
      </SimpleGrid>
    </Stack>
  );
}

function ServiceCard({ service }: { service: ServiceStatus }) {
  const { label, color } = STATES[service.state];
  return (
    <Card withBorder radius="md" padding="md" data-service={service.name} data-state={service.state}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Text fw={600}>{service.title}</Text>
        <Badge color={color} variant="light">
          {label}
        </Badge>
      </Group>
      <Anchor href={service.page} size="sm" target="_blank" rel="noreferrer">
        {service.url}
      </Anchor>
      {service.detail && (
        <Text size="sm" c="dimmed" mt="xs">
          {service.detail}
        </Text>
      )}
    </Card>
  );
}
