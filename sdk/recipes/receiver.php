<?php
// A receiver of Tether's calls in plain PHP 8.1+ with PDO: no packages. It checks signatures, and runs each write once.
//
//   TETHER_SIGNING_SECRET=whsec_… php -S 127.0.0.1:3000 receiver.php
//
// The claim of a write and its effect are one transaction of the same database (SQLite here): a process that dies in between leaves
// neither, and a repetition gets the answer that the first one got.
declare(strict_types=1);

/** You will not do it. It is remembered: 409 conflict, 422 invalid, 403 forbidden, 404 not found. */
final class Refused extends RuntimeException
{
    public function __construct(public readonly int $status, string $message)
    {
        parent::__construct($message);
    }
}

function get_order(PDO $db, array $call): ?array
{
    $found = $db->prepare('select number, state from orders where number = ?');
    $found->execute([$call['arguments']['number']]);
    return $found->fetch(PDO::FETCH_ASSOC) ?: null;
}

function refund_order(PDO $db, array $call): ?array
{
    $changed = $db->prepare("update orders set state = 'refunded' where number = ? and state = 'paid'");
    $changed->execute([$call['arguments']['number']]);
    if ($changed->rowCount() === 0) {
        throw new Refused(409, 'There is no paid order of this number.');
    }
    return get_order($db, $call);
}

// Which of them write is decided here, and by no body.
const READS = ['get_order' => 'get_order'];
const WRITES = ['refund_order' => 'refund_order'];

/** HMAC-SHA256 over "{timestamp}.{raw body}", keyed with the whole secret text; at most 300 seconds old. */
function is_signed(string $body): bool
{
    $timestamp = $_SERVER['HTTP_X_SERVICE_TIMESTAMP'] ?? '';
    if (!preg_match('/^[0-9]{1,12}\z/', $timestamp) || abs(time() - (int) $timestamp) > 300) {
        return false;
    }
    $expected = 'sha256=' . hash_hmac('sha256', "$timestamp.$body", getenv('TETHER_SIGNING_SECRET') ?: throw new RuntimeException('Set TETHER_SIGNING_SECRET.'));
    return hash_equals($expected, $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '');
}

/** A complete one, which says twice whether it writes. The same secret signs what an imported API is sent, and that is no call. */
function is_call(array $body): bool
{
    foreach (['request_id', 'tool', 'occurred_at'] as $name) {
        if (!is_string($body[$name] ?? null) || $body[$name] === '') {
            return false;
        }
    }
    foreach (['arguments', 'tenant', 'user'] as $name) {
        if (!is_array($body[$name] ?? null)) {
            return false;
        }
    }
    return array_key_exists('customer', $body)
        && in_array([$body['mode'] ?? null, $body['is_write'] ?? null], [['read', false], ['execute', true]], true);
}

function open_database(): PDO
{
    $db = new PDO('sqlite:' . (getenv('DATABASE') ?: 'shop.sqlite'));
    $db->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_EXCEPTION);
    // "begin immediate" below waits for whoever writes; the timeout says for how long.
    $db->exec('pragma busy_timeout = 15000');
    $db->exec('create table if not exists claims (request_id text primary key, status integer, body text)');
    $db->exec('create table if not exists orders (number text primary key, state text)');
    $db->exec("insert or ignore into orders values ('A-1001', 'paid')");
    return $db;
}

/** @return array{int, string} */
function perform_once(PDO $db, callable $tool, array $call): array
{
    $db->exec('begin immediate');
    try {
        $known = $db->prepare('select status, body from claims where request_id = ?');
        $known->execute([$call['request_id']]);
        $row = $known->fetch(PDO::FETCH_NUM);
        if ($row !== false) {
            $known->closeCursor();
            $db->exec('rollback');
            return [(int) $row[0], $row[1]];
        }
        $db->exec('savepoint work');
        try {
            $answer = [200, to_json($tool($db, $call))];
        } catch (Refused $refused) {
            // What it did before it refused is not kept, and the refusal is.
            $db->exec('rollback to work');
            $answer = [$refused->status, to_json(['message' => $refused->getMessage()])];
        }
        $db->prepare('insert into claims values (?, ?, ?)')->execute([$call['request_id'], ...$answer]);
        $db->exec('commit');
        return $answer;
    } catch (Throwable $error) {
        try {
            $db->exec('rollback');
        } catch (PDOException) {
            // The database has rolled it back itself.
        }
        throw $error;
    }
}

/** @return array{int, string} */
function answer(string $body): array
{
    if (!is_signed($body)) {
        return [401, to_json(['message' => 'The signature does not match, or is too old.'])];
    }
    $call = json_decode($body, true, 512, JSON_THROW_ON_ERROR | JSON_BIGINT_AS_STRING);
    // Events and tests run nothing. Keep events by their request_id: each may come more than once.
    if (is_array($call) && in_array($call['type'] ?? null, ['event', 'endpoint_test'], true)) {
        return [204, ''];
    }
    if (!is_array($call) || ($call['type'] ?? null) !== 'tool_call' || !is_call($call)) {
        return [400, to_json(['message' => 'It is signed, but is no tool call and no event.'])];
    }
    $tool = ($call['is_write'] ? WRITES : READS)[$call['tool']] ?? null;
    if ($tool === null) {
        return [421, to_json(['message' => 'There is no such tool here.'])];
    }
    if ($call['is_write']) {
        try {
            return perform_once(open_database(), $tool, $call);
        } catch (Throwable $error) { // rolled back: nothing was applied, and it may be sent again
            error_log("{$call['tool']} failed: {$error->getMessage()}");
            return [429, to_json(['message' => 'Nothing was applied.'])];
        }
    }
    try {
        $result = $tool(open_database(), $call);
    } catch (Refused $refused) {
        return [$refused->status, to_json(['message' => $refused->getMessage()])];
    }
    return $result === null
        ? [404, to_json(['status' => 'not_found', 'message' => 'There is no such thing.'])]
        : [200, to_json($result)];
}

function to_json(mixed $value): string
{
    return json_encode($value, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES);
}

try {
    [$status, $text] = answer(file_get_contents('php://input'));
} catch (Throwable $error) {
    error_log("failed: {$error->getMessage()}");
    [$status, $text] = [500, to_json(['message' => 'The server failed.'])];
}
http_response_code($status);
if ($text !== '') {
    header('Content-Type: application/json');
}
echo $text;
