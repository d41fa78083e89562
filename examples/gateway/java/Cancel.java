// A channel gateway in Java: kafka-clients and Jackson. One file, so that it runs as it is (Java 17 or later):
//
//   java -cp 'kafka-clients.jar:jackson-databind.jar:…' Cancel.java CUSTOMER_KEY
//
// Asks to cancel three products, reads the question, answers "sim", prints what became of each. Needs KAFKA_BOOTSTRAP_SERVERS, and
// PIPELINE__PREFIX where the installation has one.

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

public final class Cancel {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String CHANNEL = "web", TENANT = "default", AGENT = "telecom_contas";
    private static final String PREFIX = System.getenv().getOrDefault("PIPELINE__PREFIX", "");
    private static final String BROKERS = System.getenv().getOrDefault("KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:19092");

    private final String customer;
    private final String session = "demo *(java)~:" + System.nanoTime(); // the channel's own id, any text but a phone number
    private final String key = Stream.of(TENANT, AGENT, session).map(Cancel::encoded).collect(Collectors.joining(":"));
    private final Set<String> delivered = new HashSet<>();
    private final Queue<JsonNode> answers = new ArrayDeque<>();

    private Cancel(String customer) {
        this.customer = customer;
    }

    public static void main(String[] arguments) throws Exception {
        new Cancel(arguments[0]).talk(new PrintStream(System.out, true, StandardCharsets.UTF_8));
    }

    private void talk(PrintStream out) throws Exception {
        // The default partitioner is murmur2 of the key: what the pipeline expects.
        var producing = Map.<String, Object>of("bootstrap.servers", BROKERS, "acks", "all", "enable.idempotence", true);
        // read_committed: without it, answers are seen that are taken back. A real gateway has one group for all its replicas.
        var consuming = Map.<String, Object>of("bootstrap.servers", BROKERS, "group.id", "gateway-" + System.nanoTime(),
                "isolation.level", "read_committed", "auto.offset.reset", "earliest", "enable.auto.commit", false);
        try (var producer = new KafkaProducer<>(producing, new StringSerializer(), new StringSerializer());
                var consumer = new KafkaConsumer<>(consuming, new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of(named("channel." + CHANNEL + ".responses")));
            producer.send(message(1, "quero cancelar TIM Fashion, Aya Audiobooks e Neymar Jr", null)).get();
            JsonNode question = nextAnswer(consumer);
            out.println("question\t" + question.path("text").asText());
            producer.send(message(2, "sim", question.path("metadata").path("confirmation").path("token").asText(null))).get();
            for (JsonNode item : nextAnswer(consumer).path("metadata").path("items")) {
                String number = item.hasNonNull("protocol") ? item.path("protocol").asText() : item.path("reason").asText("");
                out.println(item.path("outcome").asText() + "\t" + item.path("subject").asText() + "\t" + number);
            }
        }
    }

    /** The same number again is the same message, and has no second effect. */
    private ProducerRecord<String, String> message(int number, String text, String token) throws Exception {
        ObjectNode request = JSON.createObjectNode().put("channel", CHANNEL).put("tenant_id", TENANT).put("agent_id", AGENT);
        ObjectNode payload = request.putObject("payload").put("message", text).put("session_id", session)
                .put("message_id", session + "-" + number);
        payload.putObject("business_context").put("customer_key", customer);
        ObjectNode metadata = payload.putObject("metadata").put("contract_version", "gateway-request-v1");
        if (token != null) {
            metadata.put("confirmation", token);
        }
        var record = new ProducerRecord<>(named("gateway.requests"), key, JSON.writeValueAsString(request));
        record.headers().add("content-type", "application/json".getBytes(StandardCharsets.UTF_8));
        record.headers().add("contract_version", "gateway-request-v1".getBytes(StandardCharsets.UTF_8));
        return record;
    }

    /** Answers in order, each once: a consumer that starts again reads what it has not committed a second time. */
    private JsonNode nextAnswer(KafkaConsumer<String, String> consumer) throws Exception {
        while (answers.isEmpty()) {
            for (var record : consumer.poll(Duration.ofMillis(500))) {
                JsonNode response = key.equals(record.key()) ? JSON.readTree(record.value()) : null;
                if (response != null && delivered.add(response.path("metadata").path("response_id").asText())) {
                    answers.add(response);
                }
            }
            consumer.commitSync(); // after delivering
        }
        return answers.remove();
    }

    /** Percent-encoded: URLEncoder is for forms, so a blank, * and ~ differ. */
    private static String encoded(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20").replace("*", "%2A").replace("%7E", "~");
    }

    private static String named(String topic) {
        return PREFIX.isEmpty() ? topic : PREFIX + "." + topic;
    }
}
