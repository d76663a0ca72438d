<?php
// With what openapi-generator has made, as it is: an order, its look-up until it is final, the balance, and a typed refusal.
declare(strict_types=1);

// In a project, composer brings Guzzle; here Debian's package does (php-guzzlehttp-guzzle).
require '/usr/share/php/GuzzleHttp/autoload.php';
spl_autoload_register(function (string $class): void {
    $file = getenv('GENERATED') . '/lib/' . str_replace(['OpenAPI\\Client\\', '\\'], ['', '/'], $class) . '.php';
    if (is_file($file)) {
        require $file;
    }
});

use OpenAPI\Client\Api\AccountApi;
use OpenAPI\Client\Api\EnergyApi;
use OpenAPI\Client\ApiException;
use OpenAPI\Client\Configuration;
use OpenAPI\Client\Model\DelegateRequest;
use OpenAPI\Client\Model\Error as Failure;
use OpenAPI\Client\Model\OrderState;
use OpenAPI\Client\Model\Payer;

function check(bool $holds, mixed $seen): void
{
    if (!$holds) {
        throw new LogicException(print_r($seen, true));
    }
}

$configuration = (new Configuration())->setHost(getenv('SERVICE_URL'))->setAccessToken(getenv('API_TOKEN'));
$energy = new EnergyApi(null, $configuration);
$request = new DelegateRequest([
    'receiver_address' => getenv('RECEIVER'),
    'amount' => 1.5,
    'time' => DelegateRequest::TIME_NUMBER_1440,
    'activate_address' => true,
]);
$quote = $energy->getQuote(getenv('RECEIVER'), 1.5)->getData();
check($quote->getBurnCost() > 0 && $quote->getPaidBy() === Payer::SUBSCRIPTION && $quote->getTransfer() === null, $quote);
[$result, , $headers] = $energy->delegateResourceWithHttpInfo($request, bin2hex(random_bytes(16)));
$id = $headers['X-Delegation-Id'][0];

do {
    sleep(1);
    $order = $energy->getDelegation($id)->getData();
} while (!in_array($order->getState(), [OrderState::DELEGATED, OrderState::FAILED], true));
check($order->getState() === OrderState::DELEGATED, $order);
check($order->getTxid() === $result->getTxid() && $order->getAmount() === 1.5 && $order->getTime() === 1440, $order);
check($order->getDelegatedAt() instanceof DateTime && $order->getReclaimedAt() === null, $order);
check($energy->listDelegations(state: OrderState::DELEGATED, limit: 1)->getData()[0]->getId() === $id, 'the list');
$account = new AccountApi(null, $configuration);
check($account->getBalance()->getData()->getBalance() > 0, 'the balance');
check($account->getToken()->getData()->getMaxCost() === null, 'the token');

try {
    $energy->delegateResource($request->setAmount(1e12));
    check(false, 'an order of 10^12 transactions was taken');
} catch (ApiException $refusal) {
    check($refusal->getResponseHeaders()['X-Error-Code'] === ['INSUFFICIENT_BALANCE'], $refusal);
    $failure = $refusal->getResponseObject();
    check($failure instanceof Failure && $failure->getSuccess() === false && $failure->getDetails() === null, $failure);
}
echo "$id {$order->getState()}\n";
