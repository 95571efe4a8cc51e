import { Alert, Badge, Card, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ApiError, readProfile } from './api.ts';
import type { Session } from './session.ts';

/** The signed-in user, as the directory of the enterprise manager stores them. */
export function ProfileCard({ session }: { session: Session }) {
  const { data, error, isPending } = useQuery({
    queryKey: ['profile', session.accessToken],
    queryFn: () => readProfile(session.accessToken),
    refetchInterval: (query) => (query.state.error ? 3000 : false),
    retry: false,
  });
  return (
    <Stack component="section" gap="md" aria-labelledby="profile">
      <Title order={2} size="h3" id="profile">
        You
      </Title>
      <Card withBorder radius="md" padding="lg">
        <Group justify="space-between" align="flex-start">
          <div>
            <Text fw={600} size="lg">
              {data?.display_name ?? session.name}
            </Text>
            <Text c="dimmed">{data?.email}</Text>
          </div>
          <Group gap="xs">
            {session.roles.map((role) => (
              <Badge key={role} variant="outline">
                {role}
              </Badge>
            ))}
          </Group>
        </Group>
        {isPending && <Skeleton height={96} mt="md" />}
        {error && (
          <Alert color="yellow" mt="md" title="Your directory entry cannot be shown">
            {error instanceof ApiError && error.status === 401
              ? 'Your sign-in has ended: sign in again.'
              : error.message}
          </Alert>
        )}
        {data && (
          <Table mt="md" layout="fixed" withRowBorders={false}>
            <Table.Tbody>
              <Row name="User name" value={data.user_name ?? 'not in the directory'} />
              <Row name="Groups" value={data.groups.map(({ display_name }) => display_name).join(', ') || 'none'} />
              <Row name="Subject" value={data.subject} />
              <Row name="Issuer" value={data.issuer} />
            </Table.Tbody>
          </Table>
        )}
      </Card>
    </Stack>
  );
}

function Row({ name, value }: { name: string; value: string }) {
  return (
    <Table.Tr>
      <Table.Th w="8rem">{name}</Table.Th>
      <Table.Td>
        <Text size="sm" truncate title={value}>
          {value}
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}
