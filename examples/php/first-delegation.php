<?php
// Orders energy for an address and waits until it is final. Needs PHP 8.1 or newer and nothing else.
//   SERVICE_URL=https://energy.example.com API_TOKEN=… RECEIVER=T… php first-delegation.php
declare(strict_types=1);

/** Status, headers in small letters and body; status 0: no answer, or none that is whole. */
function call(string $method, string $path, ?array $body = null, array $headers = []): array
{
    $http = [
        'method' => $method,
        'header' => ['Authorization: Bearer ' . getenv('API_TOKEN'), 'Content-Type: application/json', ...$headers],
        'timeout' => 30,
        'ignore_errors' => true, // A failure is an answer too.
        'follow_location' => 0, // The token is for this host alone.
    ];
    if ($body !== null) {
        $http['content'] = json_encode($body, JSON_THROW_ON_ERROR);
    }
    $url = rtrim((string) getenv('SERVICE_URL'), '/') . $path;
    $text = @file_get_contents($url, false, stream_context_create(['http' => $http]));
    $lines = $http_response_header ?? [];
    $content = $text === false ? null : json_decode($text, true);
    if ($lines === [] || !is_array($content)) {
        return [0, [], []];
    }
    $answered = [];
    foreach (array_slice($lines, 1) as $line) {
        [$name, $value] = explode(':', $line, 2) + [1 => ''];
        $answered[strtolower($name)] = trim($value);
    }
    return [(int) explode(' ', $lines[0])[1], $answered, $content];
}

/** Repeats after a time-out, a 429 or a 5xx. An order keeps its Idempotency-Key, so it is placed once. */
function callSafely(string $method, string $path, ?array $body = null, array $headers = []): array
{
    for ($attempt = 0; ; $attempt++) {
        [$status, $answered, $content] = $answer = call($method, $path, $body, $headers);
        // With an order it is that order's answer, and stays it. A 501 without Retry-After waits for money.
        $isFinal = $status !== 0 && ($status < 429 || isset($answered['x-delegation-id'])
            || ($status === 501 && !isset($answered['retry-after'])));
        $wait = (int) ($answered['retry-after'] ?? 2 ** $attempt);
        if ($isFinal || $attempt === 4 || $wait > 60) {
            return $answer;
        }
        sleep($wait);
    }
}

function quit(string $why): never
{
    fwrite(STDERR, $why . PHP_EOL);
    exit(1);
}

// New for each order. Keep it with your payment: the same key has the answer, now or tomorrow.
$key = bin2hex(random_bytes(16));
$order = ['receiver_address' => getenv('RECEIVER'), 'amount' => 1];
[$status, $headers, $answer] = callSafely('POST', '/api/chain/delegate-resource', $order, ["Idempotency-Key: $key"]);
if ($status === 0) {
    quit("no answer (key $key)");
}
if ($status !== 200) {
    $details = json_encode($answer['details'] ?? null);
    quit("not delegated, not charged: {$headers['x-error-code']} {$answer['error']} $details");
}

// `delegated` is final and charged. Better than to ask: a webhook (verify-webhook.php).
$id = $headers['x-delegation-id'];
for ($look = 0; $look < 60; $look++) {
    [$status, , $answer] = callSafely('GET', "/api/chain/delegations/$id");
    $state = $answer['data']['state'] ?? null;
    if (in_array($state, ['delegated', 'reclaiming', 'reclaimed'], true)) {
        echo "$id $state\n";
        exit(0);
    }
    if (in_array($state, ['failed', 'taking_back', 'taken_back'], true)) {
        quit("$id $state: not charged");
    }
    sleep(2);
}
quit("$id is still $state");
