<?php
// Checks a webhook (Standard Webhooks 1.0) whose body is on standard input. Needs PHP 8.1 or newer and nothing else.
// In a server: file_get_contents('php://input') and $_SERVER['HTTP_WEBHOOK_ID'] and so on.
//   WEBHOOK_SECRET=whsec_… WEBHOOK_ID=… WEBHOOK_TIMESTAMP=… WEBHOOK_SIGNATURE='v1,…' php verify-webhook.php <body
declare(strict_types=1);

const TOLERANCE_SECONDS = 300;

/** @param string $body the bytes as they came. The same event may come again: remember its id. */
function verifyWebhook(string $body, string $id, string $timestamp, string $signatures, string $secret): array
{
    if (!preg_match('/^\d{1,12}$/D', $timestamp)) {
        throw new UnexpectedValueException('webhook-timestamp is not a Unix time');
    }
    if (abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        throw new UnexpectedValueException('webhook-timestamp is too old or too new');
    }
    $key = base64_decode((string) preg_replace('/^whsec_/', '', $secret), true);
    if ($key === false || $key === '') {
        throw new UnexpectedValueException('the secret must be whsec_ followed by base64');
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    // Several while the secret is rotated.
    foreach (explode(' ', $signatures) as $given) {
        if (hash_equals($expected, $given)) {
            return json_decode($body, true, 512, JSON_THROW_ON_ERROR);
        }
    }
    throw new UnexpectedValueException('webhook-signature does not match');
}

try {
    $event = verifyWebhook(
        (string) file_get_contents('php://stdin'),
        (string) getenv('WEBHOOK_ID'),
        (string) getenv('WEBHOOK_TIMESTAMP'),
        (string) getenv('WEBHOOK_SIGNATURE'),
        (string) getenv('WEBHOOK_SECRET'),
    );
    echo $event['type'], PHP_EOL;
} catch (UnexpectedValueException $error) {
    fwrite(STDERR, $error->getMessage() . PHP_EOL);
    exit(1);
}
