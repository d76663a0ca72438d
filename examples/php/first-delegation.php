<?php
// Orders energy for an address and waits until it is final. Needs PHP 8.1 or newer and nothing else.
//   SERVICE_URL=https://energy.example.com API_TOKEN=… RECEIVER=T… php first-delegation.php
declare(strict_types=1);

/** Status, headers in small letters and body; status 0: no answer. */
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
    [$status, $answered] = [0, []];
    foreach ($http_response_header ?? [] as $line) {
        if (preg_match('#^HTTP/\S+ (\d{3})#', $line, $found)) {
            [$status, $answered] = [(int) $found[1], []];
        } else {
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
            $answered[strtolower($name)] = trim($value);
        }
    }
    $content = json_decode((string) $text, true);
    return [$status, $answered, is_array($content) ? $content : []];
}

/**
 * Status, headers and body of a success, which has the field $wanted, or of the service's own refusal, which has X-Error-Code. Null: no answer.
 * All else is none, a 504 of a gateway and an empty 200 too: the order may have been placed and charged. It is sent again, with the same
 * Idempotency-Key, so it is placed once.
 */
function callSafely(string $method, string $path, string $wanted, ?array $body = null, array $headers = []): ?array
{
    $isLost = false;
    for ($attempt = 0; ; $attempt++) {
        [$status, $answered, $content] = $answer = call($method, $path, $body, $headers);
        if ($status === 200 && ($content['success'] ?? null) === true && !empty($content[$wanted])) {
            return $answer;
        }
        $isRefusal = $status >= 400 && isset($answered['x-error-code']);
        $namesOrder = isset($answered['x-delegation-id']);
        // An attempt without an answer may still place the order: what a later one is refused says nothing of it, and a 400 or 501 is asked again.
        $isOpen = $isLost && !$namesOrder;
        // With an order it is that order's answer, and stays it. A 501 without Retry-After waits for money.
        $isRefused = $status < 429 || ($status === 501 && !isset($answered['retry-after']));
        $isFinal = $isRefusal && ($namesOrder || ($isRefused && !($isOpen && in_array($status, [400, 501], true))));
        $tells = $isRefusal && !$isOpen;
        $isLost = $isLost || !$isRefusal;
        $after = $answered['retry-after'] ?? '';
        // What is no number says nothing; one with hundreds of digits would be 0 to PHP.
        $wait = ctype_digit($after) ? (int) substr($after, 0, 9) : 2 ** $attempt;
        if ($isFinal || $attempt === 4 || $wait > 60) {
            return $tells ? $answer : null;
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
$given = callSafely('POST', '/api/chain/delegate-resource', 'txid', $order, ["Idempotency-Key: $key"]);
if ($given === null) {
    quit("no answer: send the same order with the same key, now or tomorrow: $key");
}
[$status, $headers, $answer] = $given;
if ($status !== 200) {
    $details = json_encode($answer['details'] ?? null);
    quit("not delegated, not charged: {$headers['x-error-code']} " . ($answer['error'] ?? '') . " $details");
}

// `delegated` is final and charged. Better than to ask: a webhook (verify-webhook.php).
[$id, $state] = [$answer['txid'], 'not known'];
for ($look = 0; $look < 60; $look++) {
    $given = callSafely('GET', "/api/chain/delegations?txid={$answer['txid']}", 'data');
    if ($given !== null && $given[0] === 200) {
        ['id' => $id, 'state' => $state] = $given[2]['data'][0];
    }
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
